"""Runs commands, one a line, and answers each with a line: `ok`, or the number that was asked for. For tests of events.

Ends with its input. Children wait until they are killed, and are collected by `reap` only."""
import ctypes
import os
import signal
import socket
import sys
import threading
import time

libc = ctypes.CDLL(None, use_errno=True)
PR_SET_NAME, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS = 15, 22, 38
SECCOMP_MODE_FILTER = 2
CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWNET = 0x00020000, 0x04000000, 0x40000000
threads = []
sockets = {}


class Filter(ctypes.Structure):
    _fields_ = [("code", ctypes.c_ushort), ("jt", ctypes.c_ubyte), ("jf", ctypes.c_ubyte), ("k", ctypes.c_uint)]


class Program(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.POINTER(Filter))]


def must(result):
    if result != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def seccomp():
    # BPF_RET | BPF_K, SECCOMP_RET_ALLOW
    allow = Filter(6, 0, 0, 0x7FFF0000)
    must(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(Program(1, ctypes.pointer(allow))), 0, 0))


def fork(*command):
    read, write = os.pipe2(os.O_CLOEXEC)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Neither the pipe to the test nor its end is the child's.
        os.dup2(os.open("/dev/null", os.O_RDWR), 0)
        os.dup2(0, 1)
        if command:
            os.execvp(command[0], command)
        os.close(write)
        while True:
            signal.pause()
    os.close(write)
    # The program runs, or the child waits: the pipe is closed by both.
    os.read(read, 1)
    os.close(read)
    return child


def orphan():
    """A grandchild whose parent ends at once."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        grandchild = fork("sleep", "600")
        os.write(write, str(grandchild).encode())
        os._exit(0)
    os.close(write)
    number = int(os.read(read, 20))
    os.close(read)
    os.waitpid(child, 0)
    return number


def listen(kind, number):
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM if kind == "tcp" else socket.SOCK_DGRAM)
    one.bind(("127.0.0.1", 0))
    if kind == "tcp":
        one.listen()
    sockets[number] = one
    return one.getsockname()[1]


def start_thread():
    done = threading.Event()
    thread = threading.Thread(target=done.wait, daemon=True)
    thread.start()
    threads.append((thread, done))


def stop_thread():
    if threads:
        thread, done = threads.pop()
        done.set()
        thread.join()
        # The kernel's thread ends later.
        while len(os.listdir("/proc/self/task")) > 1 + len(threads):
            time.sleep(0.001)


def kill(pid):
    os.kill(int(pid), signal.SIGKILL)
    # A zombie: not collected.
    os.waitid(os.P_PID, int(pid), os.WEXITED | os.WNOWAIT)


COMMANDS = {
    "fork": fork,
    "orphan": orphan,
    "kill": kill,
    "reap": lambda pid: os.waitpid(int(pid), 0) and None,
    "name": lambda name: must(libc.prctl(PR_SET_NAME, name.encode(), 0, 0, 0)),
    "user": lambda uid: os.setresuid(int(uid), int(uid), 0),
    "root": lambda: os.setresuid(0, 0, 0),
    "nnp": lambda: must(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)),
    "seccomp": seccomp,
    "unshare": lambda: must(libc.unshare(CLONE_NEWNS | CLONE_NEWUTS)),
    "thread": start_thread,
    "join": stop_thread,
    "listen": listen,
    "close": lambda number: sockets.pop(number).close(),
}

for line in sys.stdin:
    command, *words = line.split()
    answer = COMMANDS[command](*words)
    print("ok" if answer is None else answer, flush=True)
