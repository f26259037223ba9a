// A decoder of canonical Huffman codes that asks for more bits in the middle of a code, and a loop that two gotos enter.

int decode(const unsigned char *in, int length, const unsigned char *counts, const unsigned short *symbols, unsigned char *out, int room) {
    unsigned bits = 0;
    int have = 0, at = 0, to = 0;
    int code, first, index, size;

symbol:
    code = first = index = 0;
    size = 1;
step:
    while (have > 0) {
        code |= bits & 1;
        bits >>= 1;
        have--;
        int count = counts[size];
        if (code - count < first) {
            int found = symbols[index + code - first];
            if (found == 256) return to;
            if (found > 256) goto repeat;
            if (to == room) return -2;
            out[to++] = (unsigned char)found;
            goto symbol;
        }
        index += count;
        first = (first + count) << 1;
        code <<= 1;
        if (++size == 16) return -3;
    }
    if (at == length) return size == 1 ? to : -1;
    bits = in[at++];
    have = 8;
    goto step;

repeat:
    // The last byte once more, as often as the next three bits say.
    if (to == 0) return -4;
    if (have < 3) {
        if (at == length) return -1;
        bits |= (unsigned)in[at++] << have;
        have += 8;
    }
    for (int times = (bits & 7) + 1; times > 0; times--) {
        if (to == room) return -2;
        out[to] = out[to - 1];
        to++;
    }
    bits >>= 3;
    have -= 3;
    goto symbol;
}

// Irreducible: the loop's two halves each start it.
int collatz(unsigned a, int odd_first, int limit) {
    int steps = 0;
    if (odd_first) goto odd;
even:
    while (!(a & 1)) {
        a >>= 1;
        if (++steps == limit) return -1;
    }
    if (a == 1) return steps;
odd:
    a = 3 * a + 1;
    if (++steps == limit) return -1;
    if (a & 2) {
        a >>= 1;
        steps++;
        goto odd;
    }
    goto even;
}
