/*
 * main.c: one check of one program, from its compilation to the verdict. bin/check calls it:
 *
 *   check --exercise FOLDER --source-dir FOLDER --source NAME --shown FILE --format FORMAT
 *         --checker FOLDER --build FOLDER --seed N --seconds S [--own yes] [--next NAME]
 *         [--note TEXT] [--nvcc FILE] [--nvcc-flag FLAG]...
 *
 * The check works in a folder of its own in EXERCISE/build. It compiles for all devices side by
 * side, runs what plan.h plans, reads each trace once, and judges. Then it keeps the verdict and
 * the small files, and shows the verdict in the wanted format. Exit code: 0 the last required rung
 * is reached, 1 not yet, 2 could not check.
 */
#define _GNU_SOURCE
#include "driver/compile.h"
#include "driver/driver.h"
#include "driver/directory.h"
#include "driver/ending.h"
#include "driver/task.h"
#include "driver/plan.h"
#include "driver/runs.h"
#include "judge/judge.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <unistd.h>

/* CPU time of the judge: the records of a program's trace may be endless work. */
enum { SECONDS_PER_VERDICT = 60 };

static struct size_list sizes;
static struct ladder ladder;
static struct notes notes;
static json_t *compilations;

/* ---- its arguments -------------------------------------------------------------------------- */

static void set_option(const char *name, const char *value)
{
    const char *own = NULL;
    const struct {
        const char *name, **value;
    } texts[] = {{"--exercise", &request.exercise}, {"--source-dir", &request.source_dir},
                 {"--source", &request.source},     {"--shown", &request.shown},
                 {"--format", &request.format},     {"--checker", &request.checker},
                 {"--build", &request.build},       {"--next", &request.next},
                 {"--note", &request.note},         {"--nvcc", &request.nvcc},
                 {"--seed", &request.seed_text},    {"--own", &own}};
    if (strcmp(name, "--seconds") == 0)
        request.seconds = atof(value);
    else if (strcmp(name, "--nvcc-flag") == 0 && request.nvcc_flag_count < FLAGS_MAX)
        request.nvcc_flags[request.nvcc_flag_count++] = value;
    else
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (strcmp(name, texts[i].name) == 0) *texts[i].value = value;
    if (own != NULL) request.own = true;
}

static void read_arguments(int argc, char *argv[])
{
    request = (struct request){.next = ""};
    for (int i = 1; i + 1 < argc; i += 2)
        set_option(argv[i], argv[i + 1]);
    if (request.exercise == NULL || request.source_dir == NULL || request.source == NULL ||
        request.format == NULL || request.checker == NULL || request.build == NULL ||
        request.seed_text == NULL || request.seconds <= 0) {
        fputs("usage: checker/check EXERCISE\n", stderr);
        exit(STATUS_COULD_NOT_CHECK);
    }
    request.name = arena_file_name(request.exercise);
    request.seed = strtoull(request.seed_text, NULL, 10);
    /* these were for this process alone */
    unsetenv("GLIBC_TUNABLES");
    unsetenv("OMP_WAIT_POLICY");
    setenv("LAB_SEED", request.seed_text, 1); /* programs of the last release read this name */
}

/* ---- what the exercise asks for -------------------------------------------------------------- */

static void read_exercise(void)
{
    const char *wrong = ladder_load(
        &arena, arena_format(&arena, "%s/checker/ladder.tsv", request.exercise), &ladder);
    if (wrong != NULL) cannot("%s", wrong);
    wrong = sizes_read(arena_format(&arena, "%s/checker/sizes.tsv", request.exercise), request.seed,
                       &sizes);
    if (wrong != NULL) cannot("%s", wrong);
}

/* Compilers of CUDA read no UTF-16, and say so in many words. */
static void read_source(void)
{
    unsigned char mark[2] = {0, 0};
    FILE *file = fopen(arena_format(&arena, "%s/%s", request.source_dir, request.source), "re");
    if (file == NULL) cannot("%s cannot be read: %s", request.source, strerror(errno));
    size_t bytes = fread(mark, 1, sizeof mark, file);
    fclose(file);
    if (bytes == 2 &&
        ((mark[0] == 0xff && mark[1] == 0xfe) || (mark[0] == 0xfe && mark[1] == 0xff)))
        cannot("%s is UTF-16 text: save it as UTF-8", request.source);
}

/* ---- the check ------------------------------------------------------------------------------- */

static int finish_compilation(bool real)
{
    json_t *record;
    int code = compile_finish(real, &record);
    json_array_append_new(compilations, record);
    return code;
}

/* Everything that the verdict is made from, as check.json has it. */
static json_t *all_records(void)
{
    json_t *list = json_array(), *all;
    for (size_t i = 0; i < notes.count; i++)
        json_array_append_new(list, json_string(notes.list[i]));
    const uint64_t seed_max = 1ull << 53; /* a number in JSON is no larger */
    json_t *seed = request.seed < seed_max ? json_integer((json_int_t)request.seed) : json_null();
    all = json_pack("{s:o, s:s, s:O, s:o, s:n, s:o}", "seed", seed, "key", runs_key, "compile",
                    compilations, "runs", runs_records(), "limit", "notes", list);
    if (file_is_full(in_directory("limit.json")))
        json_object_set_new(all, "limit", json_pack("{s:s}", "dir", "limit.json"));
    if (file_is_full(in_directory("bus.json")))
        json_object_set_new(all, "bus", json_pack("{s:s}", "dir", "bus.json"));
    return all;
}

static void too_long(int number)
{
    (void)number;
    static const char text[] = "could not check: the judge takes too long\n";
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) _exit(STATUS_COULD_NOT_CHECK);
    if (fork() == 0) execlp("rm", "rm", "-rf", "--", directory, (char *)NULL);
    _exit(STATUS_COULD_NOT_CHECK);
}

/* SIGPROF comes after this process has computed for so long; 0: never. */
static void limit_cpu(int seconds)
{
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
}

/* What the verdict is made from: it only grows. */
static size_t facts_known(void)
{
    size_t runs;
    runs_noted(&runs);
    return runs + json_array_size(compilations) + notes.count;
}

/* Judges the runs so far, and writes the verdict, unless nothing has come since the last time. */
static enum status judge(struct outcome *outcome)
{
    static enum status last;
    static size_t judged;
    size_t count;
    if (facts_known() == judged) return last;
    judged = facts_known();
    struct check check;
    struct question question = {.exercise = request.name,
                                .source = request.source,
                                .checker = arena_format(&arena, "%s/checker", request.exercise),
                                .runs = directory,
                                .seed = request.seed};
    signal(SIGPROF, too_long);
    limit_cpu(SECONDS_PER_VERDICT);
    struct ended **ended = runs_noted(&count);
    json_t *records = all_records();
    check_load(&check, &arena, directory, request.seed, records, (const struct ended *const *)ended,
               count);
    bool kept = json_dump_file(records, in_directory("check.json"), JSON_COMPACT) == 0;
    json_decref(records);
    FILE *file = fopen(in_directory("verdict.json"), "we");
    if (!kept || file == NULL) disk_check();
    last = judge_check(&question, &check, file, outcome);
    if (fclose(file) != 0) disk_check();
    limit_cpu(0);
    return last;
}

/* The rung before the first one that asks for the timed size of the second shape. */
static int rung_before_second_shape(void)
{
    for (size_t i = 0; i < ladder.count; i++)
        if (criterion_asks(&ladder.criteria[i], MEASURE_SHARE_SECOND_SHAPE))
            return ladder.criteria[i].rung - 1;
    return 0;
}

/* Times the second shape on a device, if the program has reached the rung before the first one that
 * asks for it: for others, it would only make the check slow. Returns true if it was run now. */
static bool check_second_shape(bool real, int rung)
{
    static bool is_done[2];
    const struct size *size = sizes_next(&sizes, NULL, real, "speed_second_shape");
    if (is_done[real] || size == NULL || rung < rung_before_second_shape()) return false;
    plan_second_shape(&sizes, real);
    return is_done[real] = true;
}

/* Returns how far the program is, if a second shape depends on it. */
static struct outcome check_on_simulated_gpu(void)
{
    struct outcome outcome = {0};
    if (finish_compilation(false) != 0) return outcome;
    plan_start_right(&sizes, false);
    plan_finish_right(false);
    plan_need_libraries(false);
    if (!plan_hung(false)) plan_suspected(&sizes);
    if (!plan_hung(false) && !plan_is_wrong()) plan_speed_simulated(&sizes, &notes);
    if (sizes_next(&sizes, NULL, false, "speed_second_shape") == NULL) return outcome;
    judge(&outcome);
    check_second_shape(false, outcome.rung);
    return outcome;
}

/* How far the check is on the real GPU. */
static enum { NOT_COMPILED, COMPILING, COMPILED, RUNNING } progress;

static void begin_on_real_gpu(void)
{
    progress = COMPILING;
    int code = finish_compilation(true);
    const char *note = limits_finish(ladder_asks(&ladder, MEASURE_END_TO_END));
    if (note != NULL) note_add(&notes, note);
    if (code == 0) plan_start_right(&sizes, true);
    progress = code == 0 ? RUNNING : COMPILED;
}

/* What the check does on the real GPU while it waits for the simulated one. The compiler for the
 * simulated GPU is the first to say what is wrong with a program. */
static void meanwhile(void)
{
    if (progress == NOT_COMPILED && json_array_size(compilations) > 0 && compile_is_over())
        begin_on_real_gpu();
    if (progress == RUNNING) plan_start_early(&sizes);
}

static void ignore(int number)
{
    (void)number;
}

/* With a launcher, one run may keep others waiting: then all runs of the real GPU come last. */
static void watch_real_gpu(void)
{
    static const char *const apart[] = {"LAUNCH", "LAUNCH_PROGRAM", "WARPUP_ONE_RUN"};
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (getenv(apart[i]) != NULL && getenv(apart[i])[0] != '\0') return;
    sigaction(SIGCHLD, &(struct sigaction){.sa_handler = ignore}, NULL); /* it ends waits */
    task_meanwhile = meanwhile;
}

/* `simulated` is what the simulated GPU says. A timed run is repeated only where a better time may
 * change the verdict. */
static void check_on_real_gpu(struct outcome simulated)
{
    struct outcome outcome = simulated;
    if (progress == NOT_COMPILED) begin_on_real_gpu();
    if (progress != RUNNING) return;
    plan_finish_right(true);
    task_meanwhile = NULL;
    signal(SIGCHLD, SIG_DFL);
    plan_need_libraries(true);
    if (plan_hung(true)) return;
    plan_speed_real(&sizes, &notes);
    do {
        check_second_shape(true, outcome.rung);
        doing("%s: judging", request.source);
        judge(&outcome);
    } while (check_second_shape(true, outcome.rung) ||
             (outcome.is_timed && plan_repeat(outcome.is_second_shape)));
}

/* However the check ends, all that it has started ends with it, and its folder goes. */
static void clean_up(void)
{
    tasks_stop();
    close_directory();
}

int main(int argc, char *argv[])
{
    read_arguments(argc, argv);
    atexit(clean_up);
    prctl(PR_SET_DUMPABLE, 0); /* programs of the same user must not read the key of the checksum */
    watch_signals();
    read_exercise();
    read_source();
    open_directory();
    runs_prepare();
    runs_are_cold = !ladder.in_flops; /* a large problem would not fit into the L2 */
    compilations = json_array();
    if (request.note != NULL) note_add(&notes, request.note);

    compile_start(ladder.in_flops, ladder_asks(&ladder, MEASURE_END_TO_END));
    if (request.nvcc != NULL) watch_real_gpu();
    struct outcome outcome = check_on_simulated_gpu();
    if (request.nvcc != NULL) check_on_real_gpu(outcome);
    disk_check();
    if (restore_source())
        note_add(&notes, arena_format(&arena, "%s was missing after a run; the check restored it",
                                      request.source));

    doing("%s: judging", request.source);
    enum status status = judge(&outcome);
    keep_verdict();
    doing("%s", "");
    status = show_verdict(status, compile_log());
    keep_files();
    return (int)status;
}
