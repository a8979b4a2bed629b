# shellcheck shell=sh
# Helpers of the tests of scripts/grade, after expect.sh: a class of submissions, made of the assignment's program, and
# how they are graded. Not with RUN_WITH, for it is the scripts that are tested.
# shellcheck disable=SC2034,SC2154 # variables of expect.sh and of the tests
for tool in setsid unshare setpriv prlimit timeout zip unzip; do
    command -v $tool >/dev/null || {
        skip "grading, for there is no $tool" util-linux zip unzip
        finish
    }
done
chmod 711 "$work"
class="$work/the class"
top=$PWD
mkdir "$class"

# hand_in NAME [EDIT]: the assignment's program as a submission, with its files edited by sed. In simulate it
# includes fault.h, which is empty. It is compiled as one file, in half the time.
hand_in() {
    cp -R data/submission/program "$class/$1"
    : >"$class/$1/fault.h"
    sed -i -e '/^static int simulate/,/^{/s/^{/{\n#include "fault.h"/' -e "$2" "$class/$1"/*.[ch]
    printf 'particles: main.c\n\t%s\n' \
        "cc -std=c11 -D_XOPEN_SOURCE=700 -include signal.h -include unistd.h -include event.c -include particle.c -Wall main.c -lm -o particles" \
        >"$class/$1/Makefile"
}

# hand_in_faulty NAME: with the fault of this name. OUTLIVE_SECONDS is how long a process stays.
hand_in_faulty() {
    code='' edit=''
    case $1 in
    float) edit='s/double/float/g; s/%lf/%f/g' ;; # all numbers
    wrong_root) edit='s/C . (sqrt(D) - B)/(sqrt(D) - B) \/ (wx * wx + wy * wy)/' ;; # the later contact
    one_at_a_time) # loses the second of two collisions at the same time
        edit='s/^    if (event.b < 0)$/    static double last = -1;\n    first->walls -= event.time - last < 1e-9;\n    last = event.time;\n&/'
        ;;
    never_of_pairs) edit='s/return INFINITY; \/\* they/return 1000; \/* they/' ;; # a number for "never"
    never_of_walls) edit='s/return time < t ? t : time;/return fmin(1000, fmax(time, t));/' ;;
    before_end) edit='s/<= end_time)/< end_time)/' ;; # loses what happens at END_TIME
    stale) edit='s/ || a == resolved.b ||$//; s/^ *(b == resolved.b \&\& resolved.b >= 0))$/)/' ;; # of the second of a pair
    other_side) edit='s/p->v, system->height/p->v, system->width/' ;; # the box is a square
    one_of_ties) # does not count the second of two pairs that meet at the same time
        edit='s/^        particle_hit_particle(first.*/{ static double last = -1; &first->particles -= event.time == last; last = event.time; }/'
        ;;
    swapped) edit='s/p->walls, p->particles/p->particles, p->walls/' ;;
    not_last) edit='/system_finish/,$s/i < system->count/i < system->count - 1/' ;; # does not move the last one
    leaving) edit='s/if (B >= 0)/if (B >= 0 \&\& C > 0)/' ;; # those that touch and leave each other collide
    wrong_wall) edit='s/length - radius/length/' ;; # the centre reaches the right wall
    count_more) edit='s/p->walls, p->particles/p->walls + (i == 0), p->particles/' ;;
    no_end) edit='s/<= end_time)/<= 2 * end_time)/' ;; # ignores END_TIME
    leak) edit='s/    free(system.particles);//' ;;
    free_twice) # under valgrind only, without which it would be a crash
        edit='s/    free(system.particles);/&\n    if (getenv("LD_PRELOAD"))\n    &/'
        ;;
    status) edit='s/EXIT_SUCCESS/99/' ;; # by which valgrind reports faults
    beyond) code='if (system->particles[system->count].walls > 1000) puts("far");' ;;
    chatty) code='printf("%d particles\n", system->count);' ;;
    crash) code='abort();' ;;
    sleep) code='sleep(1000);' ;;
    loop) code='for (volatile long k = 0;;) k++;' ;;
    fork) code='for (;;) (void)!fork();' ;;
    print_forever) code='for (;;) puts("still running");' ;;
    outside) # reads to the end of its input, and writes outside its folder
        code='while (getchar() != EOF) continue;
            for (const char *const *name = (const char *const[]){"../../outside", "/tmp/particles_outside",
            "../outside", "/var/tmp/particles_outside", NULL}; *name; name++) {
            FILE *file = fopen(*name, "w");
            if (file) fclose(file); }'
        ;;
    outlive) # leaves a process that goes on and has nothing of its environment
        code='if (fork() == 0) { setsid();
            execle("/bin/sleep", "sleep", "'${OUTLIVE_SECONDS:-1000}'", (char *)NULL, (char *[]){NULL}); }'
        ;;
    spoof) # says on standard error what valgrind would, with commands of sed in it
        code='fputs("==1== Invalid read/e touch spoofed\n==1== Invalid read\tof\t<b>size</b>\n"
            "==1==    at 0x1: f (f.c:1)\n", stderr);'
        ;;
    ignore_limit) # of the processor's time, and waits for the end of all time
        code='sigset_t limit; sigemptyset(&limit); sigaddset(&limit, SIGXCPU); sigprocmask(SIG_BLOCK, &limit, NULL);
            while (sigpending(&limit), !sigismember(&limit, SIGXCPU)) continue;
            for (;;) pause();'
        ;;
    usage) code='fputs("usage: particles N\n", stderr); exit(1);' ;;
    asks) code='char name[9]; printf("Which file? "); if (scanf("%8s", name) != 1) exit(0);' ;;
    writes) code='if (!freopen("output.txt", "w", stdout)) abort();' ;;
    null_pointer) code='volatile int *none = NULL; *none = 1;' ;;
    stop_parent) code='kill(getppid(), SIGSTOP); for (;;) continue;' ;;
    esac
    hand_in "$1" "$edit"
    printf '%s\n' "$code" >"$class/$1/fault.h"
}

# grade OUTPUT CASES OPTION... NAME...: grades what is in the class; leaves the table in $work/table and
# what is said in $work/said
grade() {
    output=$1 set_of_cases=$2
    shift 2
    (cd "$class" && sh "$top/scripts/grade" --program="$PROGRAM" --cases="$set_of_cases" --output="$output" \
        "$@") >"$work/said" 2>&1
    status=$?
    cp "$output/grades.csv" "$work/table" 2>/dev/null
}

# expect_result NAME CASE RESULT [PATTERN]: a row of the table, and what it has to match, too
expect_result() {
    row=$(grep "^$1,$2[^,]*," "$work/table" | head -n 1)
    verdict "$1, $2" "$(printf '%s\n' "$row" | grep "^[^,]*,[^,]*,$3,.*$4" >/dev/null || echo "the row is '$row'")"
}
