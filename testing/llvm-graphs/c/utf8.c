// A validator of UTF-8 as a machine with nine states, and a decoder with a way back for what is broken.

enum { GROUND, TAIL1, TAIL2, TAIL3, AFTER_E0, AFTER_ED, AFTER_F0, AFTER_F4, BROKEN };

int validate(const unsigned char *text, int length) {
    int state = GROUND, i;
    for (i = 0; i < length && state != BROKEN; i++) {
        int c = text[i];
        switch (state) {
        case GROUND:
            if (c < 0x80) state = GROUND;
            else if (c < 0xc2) state = BROKEN;
            else if (c < 0xe0) state = TAIL1;
            else if (c == 0xe0) state = AFTER_E0;
            else if (c == 0xed) state = AFTER_ED;
            else if (c < 0xf0) state = TAIL2;
            else if (c == 0xf0) state = AFTER_F0;
            else if (c < 0xf4) state = TAIL3;
            else if (c == 0xf4) state = AFTER_F4;
            else state = BROKEN;
            break;
        case TAIL1: state = (c & 0xc0) == 0x80 ? GROUND : BROKEN; break;
        case TAIL2: state = (c & 0xc0) == 0x80 ? TAIL1 : BROKEN; break;
        case TAIL3: state = (c & 0xc0) == 0x80 ? TAIL2 : BROKEN; break;
        case AFTER_E0: state = c >= 0xa0 && c < 0xc0 ? TAIL1 : BROKEN; break;
        case AFTER_ED: state = c >= 0x80 && c < 0xa0 ? TAIL1 : BROKEN; break;
        case AFTER_F0: state = c >= 0x90 && c < 0xc0 ? TAIL2 : BROKEN; break;
        case AFTER_F4: state = c >= 0x80 && c < 0x90 ? TAIL2 : BROKEN; break;
        }
    }
    return state == GROUND ? -1 : i;
}

int decode(const unsigned char *text, int length, unsigned *out) {
    int count = 0, at = 0, more;
    unsigned value;
    while (at < length) {
        value = text[at++];
        if (value < 0x80) goto give;
        if (value >= 0xf8 || value < 0xc0) goto replace;
        more = value < 0xe0 ? 1 : value < 0xf0 ? 2 : 3;
        value &= 0x3fu >> more;
        for (; more > 0; more--) {
            if (at == length || (text[at] & 0xc0) != 0x80) goto replace;
            value = value << 6 | (text[at++] & 0x3f);
        }
        if (value - 0xd800 < 0x800 || value > 0x10ffff) {
        replace:
            value = 0xfffd;
            while (at < length && (text[at] & 0xc0) == 0x80) at++;
        }
    give:
        out[count++] = value;
    }
    return count;
}
