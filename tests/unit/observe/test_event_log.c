/* Tests of the log of events: its form, and that it has all events. */
#include "check.h"
#include "observed.h"

/* Runs a system to its end, and leaves a log of it, which another thread writes if there are 2. */
static enum status run(struct system *system, enum schedule_kind kind, double end_time,
                       unsigned threads, const char *name, struct error *error)
{
    return observed_create_and_run(
        &event_log_operations, &(struct run_settings){.threads.count = threads},
        &(struct output_settings){.name = name}, system, kind, end_time, error);
}

TEST(what_it_looks_like)
{
    struct particle particles[2] = {{.x = 1.5, .y = 5, .u = -1, .v = 0, .id = 0},
                                    {.x = 6.5, .y = 5, .u = 0, .v = -0.25, .id = 1}};
    struct system system = arranged_few(particles, (struct particle_counts[2]){{0}}, 2, 1, 8, 12.5);
    particles[1].v = 0;
    CHECK(run(&system, SCHEDULE_ARRAY, 6, 1, "log", &failure) == STATUS_DONE);
    CHECK(scratch_has("log", "time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v\n"
                             "0.5,wall,0,,left,1,5,1,0,,,,\n"
                             "4,particle,0,1,,4.5,5,0,0,6.5,5,1,0\n"
                             "4.5,wall,1,,right,7,5,-1,0,,,,\n"
                             "5,particle,0,1,,4.5,5,-1,0,6.5,5,0,0\n"));
    particles[0] = (struct particle){.x = 4, .y = 5, .v = 0.5};
    particles[1] = (struct particle){.x = 1, .y = 3, .v = -0.125, .id = 1};
    CHECK(run(&system, SCHEDULE_ARRAY, 16, 1, "log", &failure) == STATUS_DONE);
    CHECK(scratch_has("log", "time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v\n"
                             "13,wall,0,,top,4,11.5,0,-0.5,,,,\n"
                             "16,wall,1,,bottom,1,1,0,0.125,,,,\n"));
}

/* A thin wall, polygon 1, is hit from its left, and disk 1 meets the end where it begins. */
TEST(what_polygons_look_like)
{
    static const double triangle[3][2] = {{15, 1}, {19, 1}, {17, 4}};
    static const double wall[2][2] = {{10, 8}, {10, 18}};
    struct particle particles[4] = {{.x = 5, .y = 15, .u = 1, .id = 0},
                                    {.x = 10, .y = 2, .v = 1, .id = 1},
                                    {.x = 3, .y = 3, .u = 1, .id = 2},
                                    {.x = 7, .y = 3, .u = -1, .id = 3}};
    struct system system = arranged_few(particles, (struct particle_counts[4]){{0}}, 4, 1, 20, 20);
    system_add_polygon(&system, triangle, 3, 0);
    system_add_polygon(&system, wall, 2, 0);
    CHECK(run(&system, SCHEDULE_ARRAY, 5, 1, "log", &failure) == STATUS_DONE);
    CHECK(scratch_has("log", "time,kind,a,b,wall,a_x,a_y,a_u,a_v,b_x,b_y,b_u,b_v,polygon,number\n"
                             "1,particle,2,3,,4,3,-1,0,6,3,1,0,,\n"
                             "4,side,0,,,9,15,-1,0,,,,,1,0\n"
                             "4,wall,2,,left,1,3,1,0,,,,,,\n"
                             "5,corner,1,,,10,7,0,-1,,,,,1,0\n"));
    polygons_free(system.boundary.polygons);
}

/* One particle of a line. */
struct entry {
    size_t id;
    double x, y, u, v;
};

/* Cuts a line into its fields, of which there must be 13. */
static int cut(char *line, char *fields[13])
{
    int count = 0;
    char *end = strchr(line, '\n');
    if (!end || end[1] != '\0')
        return 0;
    *end = '\0';
    for (char *next = line; next; count++) {
        char *comma = strchr(next, ',');
        if (count < 13)
            fields[count] = next;
        if (comma)
            *comma = '\0';
        next = comma ? comma + 1 : NULL;
    }
    return count == 13;
}

static int read_number(const char *field, double *value)
{
    char *end;
    *value = strtod(field, &end);
    return end != field && *end == '\0';
}

/* Reads one of the particles of a line. */
static int read_entry(char *const fields[13], int which, struct entry *entry)
{
    char *const *values = fields + (which == 0 ? 5 : 9);
    double id;
    int is_read = read_number(fields[2 + which], &id) && read_number(values[0], &entry->x) &&
                  read_number(values[1], &entry->y) && read_number(values[2], &entry->u) &&
                  read_number(values[3], &entry->v);
    entry->id = (size_t)id;
    return is_read;
}

/* Moves a particle straight on to where the log has it next, with the velocity that it gets. */
static int replay(struct system *system, const struct entry *entry, double time)
{
    struct particle *p = &system->particles[entry->id];
    int is_there = entry->id < system->count &&
                   fabs(p->x + p->u * (time - p->t) - entry->x) < 1e-9 &&
                   fabs(p->y + p->v * (time - p->t) - entry->y) < 1e-9;
    p->x = entry->x;
    p->y = entry->y;
    p->u = entry->u;
    p->v = entry->v;
    p->t = p->collided = time;
    p->version++;
    return is_there;
}

/* Lets one line of a log happen to `system`. Returns whether it fits. */
static int replay_line(struct system *system, char *line, double *last)
{
    char *fields[13];
    double time;
    struct entry a;
    struct entry b;
    if (!cut(line, fields) || !read_number(fields[0], &time) || time < *last ||
        !read_entry(fields, 0, &a) || !replay(system, &a, time))
        return 0;
    *last = time;
    if (strcmp(fields[1], "wall") == 0) {
        system->counts[a.id].walls++;
        return strcmp(fields[3], "") == 0 && strlen(fields[4]) > 2;
    }
    if (!read_entry(fields, 1, &b) || !replay(system, &b, time))
        return 0;
    system->counts[a.id].particles++;
    system->counts[b.id].particles++;
    return strcmp(fields[1], "particle") == 0 && strcmp(fields[4], "") == 0 && a.id < b.id;
}

/* Lets all lines of a log happen to `system`. Returns how many do not fit. */
static int replay_all(struct system *system, FILE *log)
{
    char line[1000];
    int faults = 0;
    double last = 0;
    while (fgets(line, sizeof line, log))
        faults += !replay_line(system, line, &last);
    return faults;
}

RANDOM_TEST(the_log_tells_all, 31)
{
    for (int round = 0; round < (check_is_thorough() ? 100 : 20); round++) {
        char header[100];
        OWNED(system, system) = random_system(random, 1 + random_below(random, 40), 0.3, 1.5);
        OWNED(system, replayed) = system_copy(&system);
        enum schedule_kind kind = round % 2 ? SCHEDULE_ARRAY : SCHEDULE_CELLS;
        const unsigned threads = round % 4 < 2 ? 2 : 1;
        const double end_time = round < 2 ? 400 : 20; /* some thousand lines: several batches */
        CHECK(run(&system, kind, end_time, threads, "log", &failure) == STATUS_DONE);
        FILE *log = fopen("log", "r");
        CHECK(log && fgets(header, sizeof header, log) != NULL);
        CHECK(log && replay_all(&replayed, log) == 0);
        for (size_t k = 0; k < system.count; k++) { /* to the last bit, and every count */
            CHECK(memcmp(&system.particles[k], &replayed.particles[k],
                         sizeof system.particles[k]) == 0);
            CHECK(memcmp(&system.counts[k], &replayed.counts[k], sizeof system.counts[k]) == 0);
        }
        if (log)
            fclose(log);
    }
}

RANDOM_TEST(faults_are_reported, 32)
{
    OWNED(system, system) = random_system(random, 30, 0.3, 1);
    FILE *full = fopen("/dev/full", "w");
    for (unsigned threads = 1; threads <= 2; threads++) {
        CHECK(run(&system, SCHEDULE_ARRAY, 5, threads, "none/log", &failure) ==
              STATUS_CANNOT_WRITE);
        CHECK(strstr(failure.message, "none/log: cannot open") == failure.message);
        if (!full)
            continue;
        CHECK(run(&system, SCHEDULE_ARRAY, 5, threads, "/dev/full", &failure) ==
              STATUS_CANNOT_WRITE);
        CHECK(strstr(failure.message, "/dev/full: cannot write: No space") == failure.message);
        CHECK(run(&system, SCHEDULE_ARRAY, 1000, threads, "/dev/full", &failure) ==
              STATUS_CANNOT_WRITE);
    }
    if (full)
        fclose(full);
    CHECK(scratch_count() == 0);
}
