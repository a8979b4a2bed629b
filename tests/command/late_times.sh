#!/bin/sh
# Late times, whose digits are coarse: a particle moves farther between two of them than a cell is wider
# than a disk. Neither the schedule nor the number of threads shows in the answer.
. tests/support/expect.sh

expected=
for options in --schedule=array "--schedule=cells --threads=1" "--threads=2 --tile-side=4"; do
    particles --quiet --rule=elastic --periodic=xy --stream=0 --stream-temperature=31.00375238029319 $options \
        tests/command/tied/late.txt 600926097758165.6
    sum=$(cksum <"$work/out")
    expected=${expected:-$sum}
    problem=
    [ "$status" = 0 ] || problem="status $status"
    [ "$sum" = "$expected" ] || problem="another answer than that of the array"
    verdict "late times, $options" "$problem"
done

finish
