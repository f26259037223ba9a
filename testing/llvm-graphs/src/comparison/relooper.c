/* Runs Binaryen's Relooper on graphs.
 *
 * Input: the number of functions, and for each of them the number of blocks, and for each block the
 * number of blocks that it leads to and their numbers. The first block is the entry. Output: a
 * WebAssembly module with the functions in order. Block i calls the import b<i>; the import c<i>
 * returns the place of the next block in the list.
 *
 * With an argument, each function is made so many times, and the output is the sum of the shortest
 * times in nanoseconds. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <binaryen-c.h>

typedef struct {
    unsigned count;
    unsigned *targets;
} Block;

static unsigned number(void) {
    unsigned value;
    if (scanf("%u", &value) != 1 || value > 1000000) {
        fprintf(stderr, "the input is not a list of graphs\n");
        exit(2);
    }
    return value;
}

static void *list(size_t count, size_t size) {
    void *memory = calloc(count + 1, size);
    if (!memory)
        exit(2);
    return memory;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static BinaryenExpressionRef call(BinaryenModuleRef module, char kind, unsigned block) {
    char name[16];
    snprintf(name, sizeof name, "%c%u", kind, block);
    BinaryenType type = kind == 'c' ? BinaryenTypeInt32() : BinaryenTypeNone();
    return BinaryenCall(module, name, NULL, 0, type);
}

/* Returns the code of a function, and in *time the nanoseconds that Relooper takes. */
static BinaryenExpressionRef structure(BinaryenModuleRef module, const Block *blocks, unsigned count, double *time) {
    RelooperRef relooper = RelooperCreate(module);
    RelooperBlockRef *made = list(count, sizeof *made);
    for (unsigned i = 0; i < count; i++) {
        BinaryenExpressionRef code = call(module, 'b', i);
        if (blocks[i].count == 0) {
            BinaryenExpressionRef both[] = {code, BinaryenReturn(module, NULL)};
            code = BinaryenBlock(module, NULL, both, 2, BinaryenTypeAuto());
        }
        made[i] = blocks[i].count > 2 ? RelooperAddBlockWithSwitch(relooper, code, call(module, 'c', i))
                                      : RelooperAddBlock(relooper, code);
    }
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < blocks[i].count; k++) {
            RelooperBlockRef to = made[blocks[i].targets[k]];
            BinaryenIndex index = k;
            if (blocks[i].count > 2)
                RelooperAddBranchForSwitch(made[i], to, &index, k > 0, NULL);
            else
                RelooperAddBranch(made[i], to, k > 0 ? call(module, 'c', i) : NULL, NULL);
        }
    }
    double start = now();
    BinaryenExpressionRef code = RelooperRenderAndDispose(relooper, made[0], 0);
    *time = now() - start;
    free(made);
    return code;
}

int main(int argc, char **argv) {
    unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    BinaryenModuleRef module = BinaryenModuleCreate();
    BinaryenType label = BinaryenTypeInt32();
    unsigned functions = number(), imports = 0;
    double sum = 0;
    for (unsigned f = 0; f < functions; f++) {
        unsigned count = number();
        Block *blocks = list(count, sizeof *blocks);
        for (unsigned i = 0; i < count; i++) {
            blocks[i].count = number();
            blocks[i].targets = list(blocks[i].count, sizeof *blocks[i].targets);
            for (unsigned k = 0; k < blocks[i].count; k++) {
                blocks[i].targets[k] = number();
                if (blocks[i].targets[k] >= count)
                    exit(2);
            }
        }
        for (; imports < count; imports++) {
            char name[2][16];
            snprintf(name[0], 16, "b%u", imports);
            snprintf(name[1], 16, "c%u", imports);
            BinaryenAddFunctionImport(module, name[0], "env", name[0], BinaryenTypeNone(), BinaryenTypeNone());
            BinaryenAddFunctionImport(module, name[1], "env", name[1], BinaryenTypeNone(), BinaryenTypeInt32());
        }
        BinaryenExpressionRef code = NULL;
        double shortest = 0, time;
        for (unsigned round = 0; round < rounds; round++) {
            code = structure(module, blocks, count, &time);
            shortest = round == 0 || time < shortest ? time : shortest;
        }
        sum += shortest;
        char name[16];
        snprintf(name, sizeof name, "f%u", f);
        BinaryenAddFunction(module, name, BinaryenTypeNone(), BinaryenTypeNone(), &label, 1, code);
        for (unsigned i = 0; i < count; i++)
            free(blocks[i].targets);
        free(blocks);
    }
    if (argc > 1) {
        printf("%.0f\n", sum);
        return 0;
    }
    BinaryenModuleAllocateAndWriteResult written = BinaryenModuleAllocateAndWrite(module, NULL);
    fwrite(written.binary, 1, written.binaryBytes, stdout);
    return 0;
}
