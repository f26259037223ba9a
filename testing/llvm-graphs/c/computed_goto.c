// Labels as values: the jump is an `indirectbr`, which no structurizer can be given as it is.

int run(const unsigned char *code, int value) {
    static const void *const labels[4] = {&&add, &&twice, &&negate, &&end};
    goto *labels[*code++ & 3];
add:
    value += *code++;
    goto *labels[*code++ & 3];
twice:
    value *= 2;
    goto *labels[*code++ & 3];
negate:
    value = -value;
    goto *labels[*code++ & 3];
end:
    return value;
}
