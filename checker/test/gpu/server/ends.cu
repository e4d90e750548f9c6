// ends.cu: the ways in which a program can end, and what it can learn of the process that is its GPU. The first
// argument says which one.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <csignal>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

__global__ void add(int *sum)
{
    atomicAdd(sum, 1);
}

__global__ void wait_for(volatile int *flag)
{
    while (*flag == 0)
        ;
}

static void fork_child()
{
    int *pointer, status;
    pid_t child = fork();
    if (child == 0) {
        printf("child %s\n", cudaGetErrorName(cudaMalloc(&pointer, 4)));
        fflush(stdout);
        _exit(7);
    }
    waitpid(child, &status, 0);
    printf("status %d\n", WEXITSTATUS(status));
}

/* Children that are forked before the first call of CUDA have GPUs of their own. */
static void fork_early()
{
    for (int i = 1; i <= 2; i++) {
        int *pointer, number = i, status;
        pid_t child = fork();
        if (child == 0) {
            cudaMalloc(&pointer, sizeof number);
            cudaMemcpy(pointer, &number, sizeof number, cudaMemcpyHostToDevice);
            add<<<1, 1>>>(pointer);
            cudaMemcpy(&number, pointer, sizeof number, cudaMemcpyDeviceToHost);
            cudaFree(pointer);
            exit(number);
        }
        waitpid(child, &status, 0);
        printf("child %d: %d\n", i, WEXITSTATUS(status));
        fflush(stdout);
    }
}

/* A parent does not see the changes that a child makes in memory that the parent has registered. */
static void fork_with_registered()
{
    int status, *numbers = (int *)malloc(100000);
    numbers[7] = 1;
    cudaHostRegister(numbers, 100000, cudaHostRegisterDefault);
    pid_t child = fork();
    if (child == 0) {
        numbers[7] = 2;
        _exit(0);
    }
    waitpid(child, &status, 0);
    printf("number %d\n", numbers[7]);
    cudaHostUnregister(numbers);
    free(numbers);
}

static void run_threads(int *sum)
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 16; i++)
        threads.emplace_back([=] {
            for (int k = 0; k < 20; k++)
                add<<<1, 32>>>(sum);
            cudaDeviceSynchronize();
        });
    for (auto &thread : threads)
        thread.join();
    int result;
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    printf("sum %d\n", result);
}

static void print_environment()
{
    static char text[1 << 16];
    FILE *file = fopen("/proc/self/environ", "r");
    size_t bytes = fread(text, 1, sizeof text, file);
    for (size_t i = 0; i < bytes; i++)
        putchar(text[i] == '\0' ? '\n' : text[i]);
    for (char **variable = environ; *variable != NULL; variable++)
        puts(*variable);
    fclose(file);
}

/* Tries what another process of the same user could do to the GPU's process. */
static void look_at_gpu()
{
    char path[64];
    for (const char *name : {"environ", "mem", "fd/3"}) {
        snprintf(path, sizeof path, "/proc/%d/%s", (int)getppid(), name);
        printf("%s %s\n", name, access(path, R_OK) == 0 ? "readable" : "closed");
    }
}

static double now_ms()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * time.tv_sec + 1e-6 * time.tv_nsec;
}

static void compute()
{
    for (volatile int i = 0; i < 1000000; i++)
        ;
}

/* A child stops the GPU for 9 ms when it gets a byte, as a busy machine does: it takes no message meanwhile. */
static int start_stopper()
{
    int ends[2];
    pid_t gpu = getppid();
    if (pipe(ends) != 0) exit(1);
    if (fork() != 0) return ends[1];
    close(ends[1]);
    for (char byte; read(ends[0], &byte, 1) == 1;) {
        timeval pause = {0, 9000};
        kill(gpu, SIGSTOP);
        select(0, NULL, NULL, NULL, &pause);
        kill(gpu, SIGCONT);
    }
    _exit(0);
}

/* Asynchronous calls take the same time if the GPU's process gets no core meanwhile, even if other threads of the program have
 * computed before. */
static void time_while_stopped(int *memory)
{
    int stopper = start_stopper();
    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 10; i++) {
            std::thread worker(compute);
            cudaDeviceSynchronize();
            worker.join();
            cudaDeviceSynchronize();
        }
        double start = now_ms();
        for (int i = 0; i < 40; i++) {
            if (i == 20 && write(stopper, "x", round > 0) >= 0) usleep(300);
            cudaMemsetAsync(memory, 0, 64);
        }
        cudaDeviceSynchronize();
        printf("took %.3f ms\n", now_ms() - start);
    }
}

int main(int argc, char **argv)
{
    int *memory;
    const char *way = argc > 1 ? argv[1] : "";
    if (strcmp(way, "early") == 0) fork_early();
    cudaMalloc(&memory, 64);
    cudaMemset(memory, 0, 64);
    if (strcmp(way, "touch") == 0) memory[3] = 5;
    if (strcmp(way, "free") == 0) free(memory);
    if (strcmp(way, "abort") == 0) abort();
    if (strcmp(way, "exit") == 0) exit(3);
    if (strcmp(way, "_exit") == 0) _exit(4);
    if (strcmp(way, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(way, "leak") == 0) return 0;
    if (strcmp(way, "fork") == 0) fork_child();
    if (strcmp(way, "registered") == 0) fork_with_registered();
    if (strcmp(way, "wait") == 0) printf("wait %d\n", (int)wait(NULL));
    if (strcmp(way, "exec") == 0) execl("/proc/self/exe", argv[0], "threads", NULL);
    if (strcmp(way, "sleep") == 0) sleep(30);
    if (strcmp(way, "forever") == 0) wait_for<<<1, 32>>>(memory);
    if (strcmp(way, "threads") == 0) run_threads(memory);
    if (strcmp(way, "stopped") == 0) time_while_stopped(memory);
    if (strcmp(way, "environment") == 0) print_environment();
    if (strcmp(way, "look") == 0) look_at_gpu();
    cudaFree(memory);
    printf("end\n");
    return 0;
}
