// The functions of WASI that a program needs to read standard input and to write standard output.

class Exit extends Error {}

// Runs a compiled module with these bytes as standard input; returns standard output.
async function runWasi(module, input) {
  const EBADF = 8, ESPIPE = 29;
  const output = [], messages = [];
  let read = 0, instance;
  const view = () => new DataView(instance.exports.memory.buffer);
  const bytes = (at, length) => new Uint8Array(instance.exports.memory.buffer, at, length);
  // Calls `use` with each part of a vector of buffers, until it does not fill or empty one.
  const parts = (at, count, use) => {
    let sum = 0;
    for (let index = 0; index < count; index++) {
      const length = view().getUint32(at + 8 * index + 4, true);
      const done = use(bytes(view().getUint32(at + 8 * index, true), length));
      sum += done;
      if (done < length) break;
    }
    return sum;
  };
  const wasi = {
    fd_read(fd, at, count, result) {
      if (fd !== 0) return EBADF;
      const sum = parts(at, count, part => {
        const next = input.subarray(read, read + part.length);
        part.set(next);
        read += next.length;
        return next.length;
      });
      view().setUint32(result, sum, true);
      return 0;
    },
    fd_write(fd, at, count, result) {
      if (fd !== 1 && fd !== 2) return EBADF;
      const to = fd === 1 ? output : messages;
      const sum = parts(at, count, part => { to.push(part.slice()); return part.length; });
      view().setUint32(result, sum, true);
      return 0;
    },
    environ_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    environ_get: () => 0,
    args_sizes_get(count, size) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return 0;
    },
    args_get: () => 0,
    // Seeds of hash tables; results do not depend on them.
    random_get(at, length) {
      bytes(at, length).fill(7);
      return 0;
    },
    clock_time_get(_id, _precision, result) {
      view().setBigUint64(result, 0n, true);
      return 0;
    },
    fd_fdstat_get(_fd, result) {
      bytes(result, 24).fill(0);
      return 0;
    },
    fd_filestat_get: () => EBADF,
    fd_prestat_get: () => EBADF,
    fd_prestat_dir_name: () => EBADF,
    fd_seek: () => ESPIPE,
    fd_close: () => 0,
    sched_yield: () => 0,
    proc_exit(code) { throw new Exit('exit ' + code); },
  };
  instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi });
  try {
    instance.exports._start();
  } catch (error) {
    if (!(error instanceof Exit)) {
      // The message of a panic is on standard error.
      const text = new TextDecoder().decode(concatenate(messages)).trim();
      throw new Error(text || String(error));
    }
  }
  return concatenate(output);
}

function concatenate(list) {
  const all = new Uint8Array(list.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of list) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
