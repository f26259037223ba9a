// State machines that jump by a number: a driver of a serial line, and a parser of its escape sequences that both sides leave and enter anywhere.

enum { IDLE, START, DATA, PARITY, STOP, BREAK_, ERROR_ };

int receive(const unsigned char *line, int samples, unsigned char *out, int room) {
    int state = IDLE, bit = 0, ones = 0, value = 0, count = 0, low = 0;
    for (int i = 0; i < samples; i++) {
        int level = line[i] & 1;
        low = level ? 0 : low + 1;
    again:
        switch (state) {
        case IDLE:
            if (level) break;
            state = START;
            // Falls through: the first sample of a start bit is one already.
        case START:
            if (level) {
                state = IDLE;
                break;
            }
            bit = 0;
            ones = 0;
            value = 0;
            state = DATA;
            continue;
        case DATA:
            value |= level << bit;
            ones += level;
            if (++bit == 8) state = PARITY;
            break;
        case PARITY:
            if ((ones + level) & 1) {
                state = ERROR_;
                goto again;
            }
            state = STOP;
            break;
        case STOP:
            if (!level) {
                state = low >= 11 ? BREAK_ : ERROR_;
                goto again;
            }
            if (count == room) return count;
            out[count++] = (unsigned char)value;
            state = IDLE;
            break;
        case BREAK_:
            if (!level) break;
            if (count == 0) return -1;
            state = IDLE;
            goto again;
        case ERROR_:
            if (low > 40) return -2;
            if (level) state = IDLE;
            break;
        }
    }
    return count;
}

int escapes(const char *text, int *parameters, int room) {
    int count = 0, value = 0, c;
    goto ground;
ground:
    while ((c = *text++) != 0) {
        if (c == 27) goto escape;
        if (c == '\r') goto line;
    }
    return count;
line:
    c = *text++;
    if (c == '\n') goto ground;
    if (c == 27) goto escape;
    if (c == 0) return count;
    goto ground;
escape:
    c = *text++;
    switch (c) {
    case '[': value = 0; goto parameter;
    case 'O': goto single;
    case 27: goto escape;
    case 0: return -1;
    default: goto ground;
    }
single:
    if (*text == 0) return -1;
    text++;
    goto ground;
parameter:
    c = *text++;
    if (c >= '0' && c <= '9') {
        value = value * 10 + c - '0';
        goto parameter;
    }
    if (c == ';' || (c >= 64 && c < 127)) {
        if (count == room) return count;
        parameters[count++] = value;
        value = 0;
        if (c == ';') goto parameter;
        goto ground;
    }
    if (c == 27) goto escape;
    if (c == 0) return -1;
    goto line;
}
