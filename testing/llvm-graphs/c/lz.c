// A decompressor of literals and matches, as LZ4 has them: lengths with extra bytes, matches that overlap themselves.

int decompress(const unsigned char *in, int in_length, unsigned char *out, int room) {
    int at = 0, to = 0;
    while (at < in_length) {
        int token = in[at++], length = token >> 4, offset, extra;
        if (length == 15) {
            do {
                if (at == in_length) goto truncated;
                extra = in[at++];
                length += extra;
            } while (extra == 255);
        }
        if (length > in_length - at) goto truncated;
        if (length > room - to) goto full;
        for (; length > 0; length--) out[to++] = in[at++];
        if (at == in_length) break;
        if (in_length - at < 2) goto truncated;
        offset = in[at] | in[at + 1] << 8;
        at += 2;
        if (offset == 0 || offset > to) return -3;
        length = (token & 15) + 4;
        if (length == 19) {
            do {
                if (at == in_length) goto truncated;
                extra = in[at++];
                length += extra;
            } while (extra == 255);
        }
        if (length > room - to) goto full;
        if (offset == 1) {
            unsigned char same = out[to - 1];
            while (length-- > 0) out[to++] = same;
            continue;
        }
        if (offset >= 8) {
            while (length >= 8) {
                for (int i = 0; i < 8; i++) out[to + i] = out[to + i - offset];
                to += 8;
                length -= 8;
            }
        }
        while (length-- > 0) {
            out[to] = out[to - offset];
            to++;
        }
    }
    return to;
truncated:
    return -1;
full:
    return -2;
}
