#!/bin/sh
# --sensitivity: what it reports of known cases, that standard output and files stay as they are,
# and how it ends when it has to end early.
. tests/support/expect.sh

input=data/particles_only.txt

# reports PATTERN...: the last run reported lines that match these (as grep -Ex has it), in this
# order, the beginning left out, and perhaps others
reports() {
    sed -n 's/^particles: sensitivity: //p' "$work/err" >"$work/report"
    for pattern; do
        awk -v pattern="^($pattern)\$" 'found { print } $0 ~ pattern { found = 1 }
            END { exit !found }' "$work/report" >"$work/rest" || {
            echo "no line like '$pattern': $(cat "$work/err")"
            return
        }
        mv "$work/rest" "$work/report"
    done
}

# The contract's cases are determined by their input: two correct programs print the same.
for expected in tests/command/expected/*.expected; do
    name=$(basename "$expected" .expected)
    end=${name##*.t}
    particles --sensitivity "data/${name%.t*}.txt" "$end"
    verdict "$name is stable" "$(reports \
        'stable: 8 of 8 perturbed runs print the same lines' "agreement: up to END_TIME $end" \
        'exceptions: .*' 'closest call: .*' 'nearest to a miss: .*')"
    verdict "$name: five lines" "$([ "$(wc -l <"$work/err")" -eq 5 ] || cat "$work/err")"
    : >"$work/err"
    expect_output "$name, the answer" "$expected"
done

# At 2000 one of them is not. Moved by hand, with awk's numbers: half of the coordinates to
# the next double above, or where the rounding of the factor wants it, the one after that.
particles --sensitivity=4 "$input" 2000
verdict "a long run" "$(reports 'unstable: 0 of 4 perturbed runs print the same lines' \
    'agreement: up to END_TIME [0-9]+, not at [0-9]+' 'exceptions: .*68.*')"
agreed=$(sed -n 's/.* up to END_TIME \([0-9]*\), .*/\1/p' "$work/err")
verdict "it agrees for long, and not to the end" \
    "$([ "${agreed:-0}" -gt 500 ] && [ "${agreed:-0}" -lt 1200 ] || echo "until $agreed")"
for seed in 1 2 3; do
    awk -v seed=$seed 'BEGIN { srand(seed) } NF == 4 {
        for (k = 1; k <= 2; k++) if (rand() < 0.5) $k *= 1 + 2.3e-16
        $0 = sprintf("%.17g %.17g %s %s", $1, $2, $3, $4) } { print }' "$input" >"$work/moved"
    verdict "moved by hand, $seed" "$(cmp -s "$input" "$work/moved" && echo "it is not moved")"
    for end in 67.5 100 $((agreed / 2)) $((agreed - 20)) 1300 1700 2000; do
        "$PROGRAM" "$input" "$end" >"$work/one"
        "$PROGRAM" "$work/moved" "$end" >"$work/other"
        cmp -s "$work/one" "$work/other" && same=1 || same=0
        [ "$end" = 67.5 ] || [ "${end%.*}" -lt "${agreed:-0}" ] && wanted=1 || wanted=0
        verdict "moved by hand, $seed, until $end" \
            "$([ $same -eq $wanted ] || echo "the same: $same instead of $wanted")"
    done
done

# To and fro between two walls, the rounding of late times adds up: exact arithmetic has 6.8 at 1e6.
printf '1\n0.1\n10 8\n5 5 1 0\n' >"$work/one"
particles --sensitivity=20 "$work/one" 1e5
verdict "early enough" "$(reports 'stable: 20 of 20 .*' 'agreement: up to END_TIME 100000')$(grep -vx '5.800000, 5.000000, 10204, 0' "$work/out")"
particles --sensitivity=20 "$work/one" 1e6
verdict "too late" "$(reports 'unstable: [0-9]+ of 20 .*' 'agreement: up to END_TIME [3-7][0-9][0-9][0-9][0-9][0-9], not at [0-9]+')"

# A graze, and a collision at the very END_TIME.
printf '2\n1\n10 10\n2 5 1 0\n6 7 0 0\n' >"$work/graze"
particles --sensitivity "$work/graze" 5
verdict "a graze" "$(reports 'unstable: [1-7] of 8 perturbed runs print the same lines' \
    'agreement: up to END_TIME (3.995, not at 4|4, not at 4.005)' 'nearest to a miss: cosine 0, .*')"
particles --sensitivity=20 "$input" 68
verdict "a collision at END_TIME" "$(reports 'unstable: [0-9]+ of 20 .*' \
    'agreement: up to END_TIME 67.932, not at 68' 'exceptions: 0')"
printf '1\n1\n10 10\n2 5 1 0\n' >"$work/single"
particles --sensitivity=1 - 0 <"$work/single"
verdict "K = 1, N = 1, END_TIME 0, standard input" "$(reports \
    'stable: 1 of 1 perturbed runs print the same lines' 'agreement: up to END_TIME 0' \
    'exceptions: 0' 'closest call: none, no particle collides twice' \
    'nearest to a miss: none, no two disks collide')"

# Other options.
particles --sensitivity=3 "$input" 800
cp "$work/err" "$work/usual"
cp "$work/out" "$work/usual.out"
for options in --quiet --schedule=cells "--quiet --stats=$work/figures" "--events=$work/log" \
    "--trajectory=$work/frames --every=10"; do
    particles --sensitivity=3 $options "$input" 800
    verdict "the same report with $options" "$(cmp "$work/err" "$work/usual" 2>&1)"
    verdict "the same answer with $options" "$(cmp "$work/out" "$work/usual.out" 2>&1)"
done
mv "$work/log" "$work/log.sensitive"
mv "$work/frames" "$work/frames.sensitive"
particles --events="$work/log" --trajectory="$work/frames" --every=10 "$input" 800
verdict "files tell of the run itself" \
    "$(cmp "$work/log" "$work/log.sensitive" 2>&1; cmp "$work/frames" "$work/frames.sensitive" 2>&1)"

# For scripts: a file, and an exit status.
file=$work/report.txt
# value KEY: what the file says
value() {
    sed -n "s/^$1 = //p" "$file"
}
particles --sensitivity-file="$file" "$input" 100
verdict "a file, and nothing else" "$(cat "$work/err"; [ "$status" -eq 0 ] || echo "status $status")"
verdict "its keys" "$([ "$(sed 's/ = .*//' "$file" | tr '\n' ' ')" = "stable runs same agreement_until \
disagreement_at exceptions closest_call closest_call_particle closest_call_from closest_call_to \
nearest_miss_cosine nearest_miss_particle nearest_miss_other nearest_miss_at " ] || cat "$file")"
verdict "its values" "$(grep -Evx '[a-z_]+ = (-?[0-9.]+(e[-+][0-9]+)?|none)' "$file")"
verdict "what it says of a stable input" "$([ "$(value stable) $(value runs) $(value same)" = "1 8 8" ] &&
    [ "$(value agreement_until) $(value disagreement_at)" = "100 none" ] || cat "$file")"
verdict "how near the miss was" "$(awk -v gap="$(value closest_call)" -v from="$(value closest_call_from)" \
    -v to="$(value closest_call_to)" 'BEGIN { if (gap <= 0 || (to - from - gap) ^ 2 > 1e-20) print gap, from, to }')"
particles --sensitivity=4 --sensitivity-file="$file" --sensitivity-status --quiet "$input" 2000
"$PROGRAM" "$input" 2000 >"$work/plain"
verdict "status 1 for an unstable input" "$([ "$status" -eq 1 ] || echo "status $status")"
verdict "and the answer is complete" "$(cmp "$work/out" "$work/plain" 2>&1)"
verdict "and a line says so" "$(grep -vx 'particles: the input does not determine the printed answer' "$work/err")"
verdict "what the file says of an unstable input" "$([ "$(value stable) $(value runs) $(value same)" = "0 4 0" ] &&
    [ "$(value disagreement_at)" -gt "$(value agreement_until)" ] || cat "$file")"
particles --sensitivity-status "$input" 100
verdict "status 0 for a stable input" "$([ "$status" -eq 0 ] || echo "status $status")"
verdict "and the report on standard error" "$(reports 'stable: 8 of 8 .*')"
printf '1\n1\n20 20\n5 5 0 0\n' >"$work/alone"
particles --sensitivity-file="$file" "$work/alone" 1
verdict "none where there is none" "$([ "$(grep -c ' = none$' "$file")" -eq 9 ] || cat "$file")"
particles --sensitivity-file="$work/none/file" "$input" 10
expect_error "a file that cannot be written" 74 "none/file: cannot open"
particles --sensitivity-file="$file" --stats="$file" "$input" 10
expect_error "two reports in one file" 64 "--stats and --sensitivity-file need a file each"
particles --sensitivity-status --resume="$file"
expect_error "a status of a resumed run" 64 "'--sensitivity-status' is not for --resume: it needs the whole run"

# So many disks that one thread, too, takes them in tiles, whose state is not complete between advances.
if [ "${THOROUGH:-}" ]; then
    awk 'BEGIN { print 200000; print 0.3; print "896 896"
        for (k = 0; k < 200000; k++)
            printf "%d.125 %.3f %.15f %.15f\n", 2 * (k % 448) + 1, 2 * int(k / 448) + 0.875, 5 * sin(k), 5 * cos(3 * k) }' \
        >"$work/many"
    particles --threads=1 --sensitivity=1 --sensitivity-file="$file" --quiet "$work/many" 0.35
    verdict "a stable input of 200000 disks" "$(cat "$work/err"; [ "$(value stable)" = 1 ] || cat "$file")"
fi

# Wrong usage.
for count in 0 10001 -1 x 1.5 ""; do
    particles --sensitivity=$count "$input" 10
    expect_error "--sensitivity=$count" 64 "--sensitivity takes a whole number from 1 to 10000"
done
expect_error "with --generate" 64 "--generate makes an INPUT and simulates nothing" --sensitivity --generate=5
if [ -c /dev/full ]; then
    $RUN_WITH "$PROGRAM" --sensitivity "$input" 10 >"$work/out" 2>/dev/full
    verdict "a report that cannot be written: status" "$([ $? -eq 74 ] || echo "not 74")"
    verdict "a report that cannot be written: nothing else is" "$(cat "$work/out")"
fi

# An interrupt after the run itself, which is over when the file is there.
rm -f "$work/log"
launch --sensitivity=10000 --events="$work/log" "$input" 20000
await test -s "$work/log"
stop INT
expect_error "an interrupt" 130 "interrupted in perturbed run [0-9]+ of 10000"

finish
