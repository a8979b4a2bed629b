#!/bin/sh
# The contract's input files and their exact outputs, which were computed in quadruple precision:
# expected/NAME.tT.expected is what NAME.txt prints at END_TIME T.
. tests/support/expect.sh

for expected in tests/command/expected/*.expected; do
    name=$(basename "$expected" .expected)
    for options in "" "--schedule=textbook" "--schedule=array" "--schedule=cells" "--quiet"; do
        expect_output "$name $options" "$expected" $options "data/${name%.t*}.txt" "${name##*.t}"
    done
done

finish
