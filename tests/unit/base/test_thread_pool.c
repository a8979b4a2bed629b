/* Tests of pools of threads. */
#include "base/thread_pool.h"

#include "check.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>

enum { TASKS = 500, LARGEST = 32 };

/* What the threads of a pool do: each writes to its own place, and all take from one counter. */
struct work {
    unsigned turn;             /* which the calling thread sets before each task */
    unsigned turns[LARGEST];   /* the last one that each has seen, */
    unsigned parts[LARGEST];   /* and how many */
    atomic_uint taken;         /* from the common counter */
    unsigned marks[100];       /* for each number that can be taken: how often it was */
    atomic_int has_gone_wrong; /* a part of another task was still at work */
    atomic_int working;        /* how many parts have begun, and not ended */
};

static struct thread_pool *create(unsigned count)
{
    struct thread_pool *pool = thread_pool_create(count);
    if (!CHECK(thread_pool_count(pool) == count && (pool != NULL) == (count > 1)))
        exit(EXIT_FAILURE);
    return pool;
}

static void take(void *user, unsigned number)
{
    struct work *work = user;
    atomic_fetch_add(&work->working, 1);
    work->turns[number] = work->turn;
    work->parts[number]++;
    for (;;) {
        const unsigned k = atomic_fetch_add(&work->taken, 1);
        if (k >= 100)
            break;
        work->marks[k]++;
    }
    if (work->turns[number] != work->turn)
        atomic_store(&work->has_gone_wrong, 1);
    atomic_fetch_sub(&work->working, 1);
}

/* What any of them writes is seen by the calling thread after each task, and what that writes, by
 * all of them in the next one; each does its part once. */
TEST(tasks_one_after_another)
{
    static const unsigned counts[] = {1, 2, 3, 5, 8, 16, LARGEST};
    for (size_t k = 0; k < LENGTH(counts); k++) {
        struct work work = {0};
        struct thread_pool *pool = create(counts[k]);
        const unsigned count = thread_pool_count(pool);
        const unsigned tasks = check_is_thorough() ? TASKS : TASKS / 10;
        int is_right = 1;
        CHECK(count == counts[k]);
        for (unsigned turn = 1; turn <= tasks; turn++) {
            work.turn = turn;
            atomic_store(&work.taken, 0);
            thread_pool_run(pool, take, &work);
            is_right &= atomic_load(&work.working) == 0;
            for (unsigned m = 0; m < LARGEST; m++) {
                is_right &= work.turns[m] == (m < count ? turn : 0);
                is_right &= work.parts[m] == (m < count ? turn : 0);
            }
            for (unsigned m = 0; m < 100; m++)
                is_right &= work.marks[m] == turn;
        }
        CHECK(is_right);
        CHECK(!atomic_load(&work.has_gone_wrong));
        thread_pool_free(pool);
    }
}

TEST(pools_without_work)
{
    for (unsigned count = 1; count <= LARGEST; count++)
        thread_pool_free(create(count));
    thread_pool_free(NULL);
    CHECK(threads_available() >= 1 && threads_available() <= THREADS_MAX);
}

/* Writes a text into a file, whose folders it makes. */
static void put(const char *path, const char *text)
{
    char folder[200];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        (void)mkdir(folder, 0777);
    }
    FILE *file = fopen(path, "w");
    if (CHECK(file != NULL))
        CHECK(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* The strictest limit of a group, and of those that contain it, counts. */
TEST(quotas_of_control_groups)
{
    static const char *const none[] = {"no_list", "list"};
    put("list", "");
    for (int k = 0; k < 2; k++)
        CHECK(isinf(threads_quota(none[k], "root")));
    put("list", "0::/a/b\n");
    CHECK(isinf(threads_quota("list", "root")));
    put("root/a/b/cpu.max", "max 100000\n");
    put("root/cpu.max", "");
    CHECK(isinf(threads_quota("list", "root")));
    put("root/a/cpu.max", "250000 100000\n");
    CHECK(threads_quota("list", "root") == 2.5);
    put("root/a/b/cpu.max", "50000 100000\n");
    CHECK(threads_quota("list", "root") == 0.5);
    put("list", "7:memory:/a/b\n0::/elsewhere\n");
    CHECK(isinf(threads_quota("list", "root")));
    put("root/cpu.max", "800000 100000\n"); /* as in a container, which sees no other */
    CHECK(threads_quota("list", "root") == 8);
}

TEST(quotas_of_the_first_control_groups)
{
    put("list", "nonsense\n4:cpu,cpuacct:/job/task\n1:name=systemd:/job\n");
    put("root/cpu,cpuacct/job/task/cpu.cfs_quota_us", "-1\n");
    put("root/cpu,cpuacct/job/task/cpu.cfs_period_us", "100000\n");
    CHECK(isinf(threads_quota("list", "root")));
    put("root/cpu,cpuacct/job/cpu.cfs_quota_us", "300000\n");
    CHECK(isinf(threads_quota("list", "root"))); /* of no period */
    put("root/cpu,cpuacct/job/cpu.cfs_period_us", "100000\n");
    CHECK(threads_quota("list", "root") == 3);
    put("root/cpu,cpuacct/cpu.cfs_quota_us", "100000\n");
    put("root/cpu,cpuacct/cpu.cfs_period_us", "50000\n");
    CHECK(threads_quota("list", "root") == 2);
}

/* What a job's environment says is an upper bound; nonsense is none. */
TEST(limits_of_the_environment)
{
    static const char *const names[] = {"SLURM_CPUS_PER_TASK", "OMP_NUM_THREADS"};
    static const char *const nonsense[] = {"", "0", "-3", "many", "1000000"};
    for (int k = 0; k < 2; k++)
        unsetenv(names[k]);
    const unsigned all = threads_available();
    for (int k = 0; k < 2; k++) {
        for (int m = 0; m < 5; m++) {
            setenv(names[k], nonsense[m], 1);
            CHECK(threads_available() == all);
        }
        setenv(names[k], "1,4", 1);
        CHECK(threads_available() == 1);
        unsetenv(names[k]);
    }
}

/* Two pools do not disturb each other; each has the calling thread as its first. */
TEST(two_pools)
{
    struct work works[2] = {{0}, {0}};
    struct thread_pool *pools[2] = {create(3), create(2)};
    for (unsigned turn = 1; turn <= 50; turn++) {
        for (int k = 0; k < 2; k++) {
            works[k].turn = turn;
            atomic_store(&works[k].taken, 0);
            thread_pool_run(pools[k], take, &works[k]);
        }
    }
    for (int k = 0; k < 2; k++) {
        CHECK(works[k].marks[0] == 50 && works[k].marks[99] == 50);
        CHECK(works[k].parts[0] == 50);
        thread_pool_free(pools[k]);
    }
}

/* Without a pool, the calling thread does its part. */
TEST(no_pool)
{
    struct work work = {.turn = 1};
    CHECK(thread_pool_count(NULL) == 1);
    thread_pool_run(NULL, take, &work);
    CHECK(work.parts[0] == 1 && work.marks[0] == 1 && work.marks[99] == 1);
}

/* Shares follow each other, and differ by one thing at most. */
TEST(shares)
{
    struct thread_pool *pool = create(5);
    const unsigned threads = thread_pool_count(pool);
    for (size_t count = 0; count < 20; count++) {
        CHECK(thread_pool_share(NULL, count, 0) == 0 && thread_pool_share(NULL, count, 1) == count);
        CHECK(thread_pool_share(pool, count, 0) == 0);
        CHECK(thread_pool_share(pool, count, threads) == count);
        for (unsigned k = 0; k < threads; k++) {
            const size_t size =
                thread_pool_share(pool, count, k + 1) - thread_pool_share(pool, count, k);
            CHECK(size == count / threads || size == (count + threads - 1) / threads);
        }
    }
    thread_pool_free(pool);
}

/* Task: whether a thread can get a signal. */
static void ask(void *user, unsigned number)
{
    int *can_get = user;
    sigset_t blocked;
    can_get[number] =
        pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && !sigismember(&blocked, SIGINT);
}

TEST(signals_are_for_the_calling_thread)
{
    int can_get[2] = {0, 0};
    struct thread_pool *pool = create(2);
    thread_pool_run(pool, ask, can_get);
    CHECK(can_get[0] && !can_get[1]);
    thread_pool_free(pool);
}
