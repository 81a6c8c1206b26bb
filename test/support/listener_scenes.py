"""Ways in which a listening socket comes to a process, each by a process of the test's own.

Usage: listener_scenes.py UID SCENE [ARGUMENT ...]
Becomes UID, plays the scene, prints one line, and holds what it has until its input ends.

  listen [workers=N]    listens on port 8766; forked workers inherit the socket. Prints the pids
  orphan fork|pass      listens, and a process that no longer descends from it holds the listener too: forked twice, or
                        passed by SCM_RIGHTS. Prints both pids; the other ends after a minute
  dual                  the same as listen on [::]:8766, reached by IPv4 too
  bus PATH close|keep   passes the listener to the dbus-daemon at PATH, which keeps it; closes its own, or keeps it
  exec PROGRAM stay|go  a child, or the process itself, becomes PROGRAM, which inherits the listener
  mailbox PATH          a process with a datagram socket at PATH that never reads
  flight PATH           sends the listener there, and closes its own
  decoys COUNT          COUNT listeners, each on an address of its own and in flight without a receiver: no process holds them
  take PID              pidfd_getfd(2) of the listener of PID
  uring                 the listener is a registered file of an io_uring and no descriptor any more
  udp                   a UDP socket on port 8766
  connected             a UDP socket from port 8766 to a peer
  clients COUNT         COUNT UDP clients with source port 8766 for 20 to 300 ms; prints how many ended, and how many by a signal
  answer PORT           a DNS server that answers each question after 20 to 300 ms
  ask PORT COUNT        COUNT questions to it; prints how many were answered
"""
import ctypes
import os
import random
import select
import socket
import struct
import sys
import time

PORT = 8766
libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent():
    libc.prctl(1, 9)  # PR_SET_PDEATHSIG, SIGKILL


def listener(family=socket.AF_INET, address="127.0.0.1"):
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    made.bind((address, PORT))
    made.listen()
    return made


def udp(address="127.0.0.1"):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind((address, PORT))
    return made


def say(*words):
    print(*words, flush=True)


def hold():
    sys.stdin.read()


def fork_child(work):
    child = os.fork()
    if child == 0:
        die_with_parent()
        work()
        os._exit(0)
    return child


def hello():
    """The first message to a bus: D-Bus Specification, Message Protocol."""
    fields = b""
    for code, kind, value in (
        (1, b"o", b"/org/freedesktop/DBus"),
        (2, b"s", b"org.freedesktop.DBus"),
        (3, b"s", b"Hello"),
        (6, b"s", b"org.freedesktop.DBus"),
    ):
        fields += b"\0" * (-len(fields) % 8)
        fields += struct.pack("<BB1sxI", code, 1, kind, len(value)) + value + b"\0"
    head = struct.pack("<cBBBIII", b"l", 1, 0, 1, 0, 1, len(fields)) + fields
    return head + b"\0" * (-len(head) % 8)


def bus(path, after):
    made = listener()
    peer = socket.socket(socket.AF_UNIX)
    peer.connect(path)
    peer.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
    assert peer.recv(4096).startswith(b"OK")
    peer.sendall(b"NEGOTIATE_UNIX_FD\r\n")
    assert peer.recv(4096).startswith(b"AGREE_UNIX_FD")
    peer.sendall(b"BEGIN\r\n" + hello())
    assert peer.recv(4096)[1] == 2
    # The first byte of a message that never ends: the daemon waits for the rest with the descriptor in hand.
    socket.send_fds(peer, [b"l"], [made.fileno()])
    if after == "close":
        made.close()
    say(os.getpid())
    hold()


def become(program, who):
    made = listener()
    made.set_inheritable(True)
    if who == "go":
        say(os.getpid())
        os.execv(program, [program, "60"])
    child = fork_child(lambda: os.execv(program, [program, "60"]))
    made.close()
    say(child)
    hold()


def orphan(how):
    """A process that forks twice and ends in between leaves a grandchild whose parent is pid 1."""
    made = listener() if how == "fork" else None
    ours, theirs = socket.socketpair(socket.AF_UNIX)
    between = os.fork()
    if between == 0:
        if os.fork() == 0:
            os.setsid()
            ours.close()
            taken = [] if made else socket.recv_fds(theirs, 1, 1)[1]
            theirs.sendall(str(os.getpid()).encode())
            # Its input closes with the other process, but it must continue.
            time.sleep(60)
            del taken
        os._exit(0)
    os.waitpid(between, 0)
    theirs.close()
    if made is None:
        made = listener()
        socket.send_fds(ours, [b"x"], [made.fileno()])
    say(os.getpid(), int(ours.recv(16)))
    hold()


def decoys(count):
    post, _mailbox = socket.socketpair(socket.AF_UNIX)
    for start in range(0, int(count), 200):
        made = [listener(address=f"127.1.{start // 200}.{1 + at}") for at in range(min(200, int(count) - start))]
        socket.send_fds(post, [b"x"], [one.fileno() for one in made])
        for one in made:
            one.close()
    say(os.getpid())
    hold()


def take(pid):
    pidfd = os.pidfd_open(int(pid))
    for name in os.listdir(f"/proc/{pid}/fd"):
        if not os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:"):
            continue
        fd = libc.syscall(438, pidfd, int(name), 0)
        if fd >= 0 and socket.socket(fileno=os.dup(fd)).getsockname()[1:2] == (PORT,):
            say(os.getpid())
            hold()


def uring():
    made = listener()
    parameters = ctypes.create_string_buffer(120)
    ring = libc.syscall(425, 4, parameters)
    if ring < 0:
        return say("refused", ctypes.get_errno())
    files = (ctypes.c_int * 1)(made.fileno())
    if libc.syscall(427, ring, 2, files, 1) != 0:
        return say("refused", ctypes.get_errno())
    made.close()
    say(os.getpid())
    hold()


def clients(count):
    """Forty at a time, each on an address of its own."""
    random.seed(8766)
    running, left, ended, signalled = {}, int(count), 0, 0
    free = [f"127.0.0.{host}" for host in range(1, 41)]
    while left > 0 or running:
        while left > 0 and free:
            address, stay = free.pop(), random.uniform(0.02, 0.3)

            def work():
                made = udp(address)
                made.sendto(b"?", ("127.0.0.1", 9))
                time.sleep(stay)

            running[fork_child(work)] = address
            left -= 1
        pid, status = os.wait()
        free.append(running.pop(pid))
        ended += status == 0
        signalled += os.WIFSIGNALED(status)
    say(ended, signalled)


def answer(port):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.bind(("127.0.0.1", int(port)))
    say("ready")
    waiting = []
    while True:
        readable, _, _ = select.select([made, sys.stdin], [], [], 0.005)
        if sys.stdin in readable:
            return
        if made in readable:
            question, peer = made.recvfrom(512)
            end = question.index(b"\0", 12) + 5
            reply = question[:2] + struct.pack("!5H", 0x8180, 1, 1, 0, 0) + question[12:end]
            reply += b"\xc0\x0c" + struct.pack("!2HIH", 1, 1, 0, 4) + b"\x7f\x00\x00\x01"
            waiting.append((time.monotonic() + random.uniform(0.02, 0.3), reply, peer))
        now = time.monotonic()
        for entry in [one for one in waiting if one[0] <= now]:
            waiting.remove(entry)
            made.sendto(entry[1], entry[2])


def ask(port, count):
    made = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    made.settimeout(3)
    answered = 0
    for batch in range(0, int(count), 20):
        for number in range(batch, batch + 20):
            label = f"q{number}".encode()
            name = bytes([len(label)]) + label + b"\7example\0"
            header = struct.pack("!6H", number & 0xFFFF, 0x0100, 1, 0, 0, 0)
            made.sendto(header + name + struct.pack("!2H", 1, 1), ("127.0.0.1", int(port)))
        for _ in range(20):
            try:
                answered += made.recv(512)[3] & 15 == 0
            except TimeoutError:
                break
    say(answered)


def main():
    uid, scene, *words = sys.argv[1:]
    die_with_parent()
    if int(uid) != 0:
        os.setgroups([])
        os.setgid(int(uid))
        os.setuid(int(uid))
        die_with_parent()
    if scene in ("listen", "dual"):
        made = listener() if scene == "listen" else listener(socket.AF_INET6, "::")
        count = int(words[0].split("=")[1]) if words else 0
        kids = [fork_child(lambda: time.sleep(60)) for _ in range(count)]
        say(os.getpid(), *kids)
        hold()
        made.close()
    elif scene == "mailbox":
        made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        made.bind(words[0])
        os.chmod(words[0], 0o777)
        say(os.getpid())
        hold()
    elif scene == "flight":
        made, post = listener(), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        post.connect(words[0])
        socket.send_fds(post, [b"x"], [made.fileno()])
        made.close()
        say(os.getpid())
        hold()
    elif scene in ("udp", "connected"):
        made = udp("127.0.0.1" if scene == "udp" else "127.0.0.2")
        if scene == "connected":
            made.connect(("127.0.0.1", 9))
        say(os.getpid())
        hold()
    else:
        {
            "bus": bus,
            "exec": become,
            "orphan": orphan,
            "decoys": decoys,
            "take": take,
            "uring": uring,
            "clients": clients,
            "answer": answer,
            "ask": ask,
        }[scene](*words)


main()
