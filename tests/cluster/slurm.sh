#!/bin/sh
# scripts/sweep.slurm on a real Slurm: two nodes on this machine, without systemd. As root, for /etc/hosts, where it
# adds lines and removes them; it ends what it has started. PROGRAM and BUILD are as in tests/run.sh.
. tests/support/expect.sh
for tool in slurmctld slurmd sbatch munged; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null || {
        skip "sweeps on Slurm, for there is no $tool" slurmctld slurmd slurm-client munge
        finish
    }
done
[ "$(id -u)" -eq 0 ] || {
    skip "sweeps on Slurm, which only root can start"
    finish
}
PATH=$PATH:/usr/sbin
cluster=$work/cluster
mkdir -p "$cluster/state" "$cluster/particles-alpha" "$cluster/particles-beta" "$cluster/munge"
chmod 755 "$work" "$cluster"
chmod 700 "$cluster/munge"
hosts=$(cat /etc/hosts)
processes=''

# end: ends all, the slurmstepds and what they run first
end_cluster() {
    timeout 5 scancel --full --signal=KILL --state=running 2>/dev/null
    for process in $processes; do
        kill "$process" 2>/dev/null && wait "$process" 2>/dev/null
    done
    printf '%s\n' "$hosts" >/etc/hosts
}
trap 'end_cluster; rm -rf "$work"' EXIT

# With loopback as its only address a machine's own name is of no use to Slurm: these have others.
printf '127.0.0.%s particles-%s\n' 22 alpha 23 beta >>/etc/hosts
dd if=/dev/urandom of="$cluster/munge/key" bs=128 count=1 2>/dev/null
chmod 600 "$cluster/munge/key"
cat >"$cluster/slurm.conf" <<END
ClusterName=particles
SlurmctldHost=$(uname -n)(127.0.0.21)
SlurmctldPort=17817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/%n/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
SlurmdTimeout=15
KillWait=5
MpiDefault=none
MessageTimeout=5
MailProg=/bin/true
ReturnToService=2
JobRequeue=1
SwitchType=switch/none
NodeName=particles-alpha NodeAddr=127.0.0.22 Port=17821 CPUs=2 RealMemory=4000 State=UNKNOWN
NodeName=particles-beta NodeAddr=127.0.0.23 Port=17822 CPUs=2 RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=particles-alpha,particles-beta Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF="$cluster/slurm.conf"
munged --foreground --force --socket="$cluster/munge/socket" --key-file="$cluster/munge/key" --log-file="$cluster/munge/log" \
    --pid-file="$cluster/munge/pid" --seed-file="$cluster/munge/seed" >"$cluster/munge/said" 2>&1 &
processes=$!
sleep 0.5
slurmctld -D >"$cluster/slurmctld.said" 2>&1 &
processes="$! $processes"
for node in alpha beta; do
    slurmd -D -N particles-$node >"$cluster/$node.said" 2>&1 &
    processes="$! $processes"
done
for _ in $(seq 20); do
    [ "$(timeout 5 sinfo -h -t idle -o %D 2>/dev/null)" != 2 ] || break
    sleep 0.5
done
[ "$(timeout 5 sinfo -h -t idle -o %D)" = 2 ] || {
    verdict "two nodes are up" "$(tail -n 5 "$cluster"/*.log "$cluster"/*.said)"
    finish
}
export QUEUE_MINUTE=2
mkdir "$work/bin" "$work/logs"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/flock" # as on a file system that has no locks
chmod +x "$work/bin/flock"
export PATH="$work/bin:$PATH"

# submit OPTION... -- ARGUMENT...: as sweep.slurm is, with one core a task; leaves its number in $job
submit() {
    job=$(sbatch --parsable --cpus-per-task=1 --output="$work/logs/%j.log" "$@")
}

# await_jobs SECONDS: until none is left
await_jobs() {
    for _ in $(seq $(($1 * 4))); do
        [ -n "$(timeout 5 squeue -h 2>&1)" ] || return 0
        sleep 0.25
    done
    verdict "all jobs end" "$(squeue; tail -n 3 "$work/logs"/*; tail -n 5 "$cluster"/*.log)"
    scancel --user=root
}

# await_checkpoints DIR: until both runs there have one
await_checkpoints() {
    for _ in $(seq 200); do
        [ "$(find "$1/partial" -name checkpoint 2>/dev/null | wc -l)" -lt 2 ] || return 0
        sleep 0.1
    done
    verdict "both runs go on" "$(tail -n 3 "$work/logs"/*)"
}

# answers DIR: the sums of what all runs there have printed
answers() {
    (cd "$1/runs" && md5sum -- */output.txt)
}

# expect_sweep NAME DIR COUNT: whether all its runs are finished, and nothing else is there
expect_sweep() {
    verdict "$1" "$([ "$(find "$2/runs" -name output.txt | wc -l)" -eq "$3" ] || tail -n 3 "$work/logs"/*
        find "$2" -mindepth 1 -maxdepth 1 | grep -Ev '/(runs|settings|manifest|stats.csv)$')"
    rm -f "$work/logs"/*
}

# An array, the gathering after it, and a sweep at the same time.
count=$([ -n "$THOROUGH" ] && echo 1500 || echo 60)
some="--program=$PROGRAM --end-time=40 --rule=elastic --generate=300 --area-fraction=0.4 --seed=1-$count"
submit --array=1-3 scripts/sweep.slurm --output="$work/array" $some
sbatch --dependency="afterany:$job" --output="$work/logs/gather" --wrap="sh scripts/sweep --output=$work/array --gather" >/dev/null
sh scripts/sweep --output="$work/array" $some --jobs=1 --quiet >"$work/said" 2>&1
verdict "a sweep beside an array" "$([ $? -eq 0 ] || cat "$work/said")"
await_jobs 600
verdict "the table" "$([ "$(wc -l <"$work/array/stats.csv")" -eq $((count + 1)) ] || cat "$work/logs/gather")"
verdict "nobody does what others do" "$(sed -n 's/.* finished, \([0-9]*\) of them now/\1/p' "$work/logs"/* |
    awk -v most="$count" '{ sum += $1 } END { if (NR != 3 || sum > most) print NR, sum }')"
expect_sweep "an array" "$work/array" "$count"
sh scripts/sweep --output="$work/plain" $some --quiet >"$work/said" 2>&1
answers "$work/plain" >"$work/expected"
answers "$work/array" | cmp - "$work/expected" >"$work/said" 2>&1
verdict "its answers" "$(cat "$work/said")"
rm -rf "$work/array/runs"/*_s?1 "$work/array/runs"/*_s2
submit --array=2,4 scripts/sweep.slurm --output="$work/array" $some
await_jobs 60
expect_sweep "a list of tasks" "$work/array" "$count"

# One run that is longer than its time: the signal that Slurm sends before the limit. Then a node dies.
long="--program=$PROGRAM --end-time=$((${#THOROUGH} > 0 ? 60000 : 6000)) --rule=elastic --generate=1000 --area-fraction=0.5 --seed=1-2 -- --checkpoint-every=1"
sh scripts/sweep --output="$work/whole" $long >"$work/said" 2>&1
submit --array=1-2 ${THOROUGH:+--time=1 --signal=B:USR1@50} scripts/sweep.slurm --output="$work/limit" $long
if [ -z "$THOROUGH" ]; then
    await_checkpoints "$work/limit"
    scancel --batch --signal=USR1 "$job"
fi
await_jobs 600
verdict "they were put back into the queue" "$(grep -L 'interrupted' "$work/logs"/*)"
expect_sweep "a run that is longer than its time" "$work/limit" 2
answers "$work/whole" >"$work/expected"
answers "$work/limit" | cmp - "$work/expected" >"$work/said" 2>&1
verdict "its answers are those of a run without interruption" "$(cat "$work/said")"

submit --array=1-2 --exclusive scripts/sweep.slurm --output="$work/dying" $long
await_checkpoints "$work/dying"
beta=${processes%% *}
victims="$beta $(grep -lsz "SLURMD_NODENAME=particles-beta" /proc/[0-9]*/environ | tr -dc '0-9\n')"
# shellcheck disable=SC2086
kill -s KILL $victims
await_jobs 120
expect_sweep "a node that dies" "$work/dying" 2
answers "$work/dying" | cmp - "$work/expected" >"$work/said" 2>&1
verdict "and what it had begun" "$(cat "$work/said")"
finish
