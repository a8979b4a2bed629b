#!/bin/sh
# --config: options from files do what they do on the command line, in the file's place; faults are
# reported with their line; and no file of options is written over.
. tests/support/expect.sh

input=$PWD/data/particles_only.txt
cd "$work" || exit 1

# holds FILE LINE...: makes a file of options
holds() {
    file=$1
    shift
    printf '%s\n' "$@" >"$file"
}

# The result has the same bytes as with the options themselves.
"$PROGRAM" --rule=elastic --stats=expected.stats --events=expected.log "$input" 50 >expected
holds run "# all of it" "rule elastic" "" "--stats = stats" "events \"log\" # quoted" quiet
for arguments in "--config=run $input 50" "--config run $input 50" "$input 50 --conf run" \
    "--rule=swap --config=run $input 50"; do
    rm -f stats log
    expect_output "$arguments" expected $arguments
    verdict "$arguments: the log" "$(cmp log expected.log 2>&1)"
    verdict "$arguments: the figures" "$(sed 's/seconds = .*//' stats >one
        sed 's/seconds = .*//' expected.stats | grep -v per_second >two
        grep -v per_second one | cmp - two 2>&1)"
done
"$PROGRAM" --rule=swap "$input" 50 >swapped
expect_output "what follows the file counts more" swapped --config=run --rule=swap "$input" 50
holds more "rule swap"
expect_output "the later file counts more" swapped --config=run --config=more "$input" 50
expect_output "the later file counts more, the other way" expected --config=more --config=run "$input" 50
echo "rule swap" | particles --config=/dev/stdin "$input" 50
expect_output "a pipe" swapped

# Other uses of the program.
holds request "generate=20" "seed 7" "area-fr .2" quiet
"$PROGRAM" --quiet --generate=20 --seed=7 --area-fraction=.2 >generated
expect_output "a request" generated --config=request
holds help help "no such option"
particles --config=help
verdict "help" "$(sed 1q out | grep -v '^Usage:')"
expect_output "a run that could be resumed" swapped --checkpoint=saved --config=more "$input" 50

# Files that cannot be read, and such that are no files of options.
expect_error "no such file" 66 "none: cannot open: " --config=none "$input" 1
expect_error "a directory" 66 "\.: cannot read: " --config=. "$input" 1
for name in - ""; do
    expect_error "the name '$name'" 64 "--config takes a file of options, not '$name'" --config="$name" "$input" 1
done
expect_error "no name" 64 "option '--config' needs a value" "$input" 1 --config
expect_error "a file without end" 64 "/dev/zero: a file of options has up to 65536 bytes" --config=/dev/zero "$input" 1
expect_error "a program" 64 "" --config="$PROGRAM" "$input" 1
expect_error "an INPUT" 64 "particles_only.txt:1: unknown option '--[0-9]*'" --config="$input" "$input" 1
printf 'quiet\n\nrule' >half_a_file
expect_error "a line without an end" 64 "half_a_file:3: option '--rule' needs a value" --config=half_a_file "$input" 1
holds twice "step 1" "constraint contact" "# once more" "constraint contact"
expect_error "a term that may be there once" 64 "twice:4: contact is given twice: a scene has at most one" --config=twice "$input" 1
holds bad quiet "rule elastc"
expect_error "a bad value" 64 "bad:2: unknown rule 'elastc': use swap or elastic" --config=bad "$input" 1
holds bad "every 1"
expect_error "an option that needs another one" 64 "--every is only for --trajectory" --config=bad "$input" 1
holds bad "" "speed 1"
expect_error "an option of another use" 64 "bad:2: option '--speed=1' is only for --generate" --config=bad "$input" 1
holds bad "rule swap"
particles --config=bad --resume=saved
expect_error "the rule of a run that is resumed" 64 "bad:1: option '--rule=swap' is not for --resume"

# A file of options is not written over, whatever its name, and devices are none.
cp run before
ln -s run link
for name in run link "$work/run"; do
    particles --config=run --picture="$name" "$input" 1
    expect_error "--picture=$name" 64 "--picture would overwrite '$name', a file of options"
done
verdict "the file of options is as it was" "$(cmp run before 2>&1)"
expect_output "no options" swapped --config=/dev/null --events=/dev/null "$input" 50

# Each allocation fails in turn, one for each file.
PROGRAM=$BUILD/tests/command/particles_failing
export PARTICLES_FAIL_AT
for PARTICLES_FAIL_AT in 1 2 3 4; do
    particles --config=more --config=more --config=more --config=more "$input" 50
    expect_error "allocation $PARTICLES_FAIL_AT" 71 "out of memory: .* for the options of a file"
done

finish
