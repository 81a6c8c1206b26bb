"""What leaves a network namespace by its loopback interface: one JSON line for each TCP connection that is begun and each name
that DNS is asked for. Ends when its input does, after all that was sent by then, with the count of packets it missed.
Formats: packet(7), RFC 791, RFC 8200, RFC 9293, RFC 1035 section 4."""
import ctypes
import json
import select
import socket
import struct
import sys

OUTGOING = 4
SOL_PACKET, PACKET_STATISTICS = 263, 6
SO_ATTACH_FILTER, SO_RCVBUFFORCE = 26, 33
# Classic BPF over what begins with the network header: TCP with SYN and without ACK, UDP, IPv6 with another next header.
FILTER = [
    (0x30, 0, 0, 0),  # the version
    (0x54, 0, 0, 0xF0),
    (0x15, 6, 0, 0x60),
    (0x30, 0, 0, 9),  # IPv4: the protocol
    (0x15, 9, 0, 17),
    (0x15, 0, 9, 6),
    (0xB1, 0, 0, 0),  # its header's length
    (0x50, 0, 0, 13),
    (0x05, 0, 0, 3),
    (0x30, 0, 0, 6),  # IPv6: the next header
    (0x15, 0, 3, 6),
    (0x30, 0, 0, 53),
    (0x54, 0, 0, 0x12),
    (0x15, 0, 1, 0x02),
    (0x06, 0, 0, 0xFFFF),
    (0x06, 0, 0, 0),
]


def attach(sock):
    program = b"".join(struct.pack("HBBI", *one) for one in FILTER)
    held = ctypes.create_string_buffer(program)
    sock.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", len(FILTER), ctypes.addressof(held)))


def name_of(question):
    labels, at = [], 12
    while at < len(question) and question[at]:
        labels.append(question[at + 1 : at + 1 + question[at]].decode("latin-1"))
        at += 1 + question[at]
    return ".".join(labels)


def described(packet):
    if packet[0] >> 4 == 4:
        protocol, payload = packet[9], packet[(packet[0] & 15) * 4 :]
        address = socket.inet_ntop(socket.AF_INET, packet[16:20])
    else:
        protocol, payload = packet[6], packet[40:]
        address = socket.inet_ntop(socket.AF_INET6, packet[24:40])
    port = struct.unpack("!H", payload[2:4])[0]
    if protocol == socket.IPPROTO_TCP:
        return {"kind": "connect", "address": address, "port": port}
    if protocol == socket.IPPROTO_UDP and port == 53:
        return {"kind": "query", "address": address, "name": name_of(payload[8:])}
    return {"kind": "other", "address": address, "protocol": protocol}


sock = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 1 << 26)
attach(sock)
sock.setblocking(False)
print(json.dumps({"kind": "ready"}), flush=True)
while True:
    ended = sys.stdin in select.select([sys.stdin, sock], [], [])[0]
    while True:
        try:
            packet, (_, _, direction, _, _) = sock.recvfrom(2048)
        except BlockingIOError:
            break
        # Each packet of the loopback comes twice, as it leaves and as it arrives.
        if direction == OUTGOING:
            print(json.dumps(described(packet)), flush=True)
    if ended:
        break
_, dropped = struct.unpack("II", sock.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
print(json.dumps({"kind": "end", "dropped": dropped}), flush=True)
