"""Reads a binary glTF file by its rules alone and holds its poses to a table: check_animation.py FILE.glb TABLE.csv GX GY GZ

Every index is in its list, every accessor in its buffer, normals have length one, triangles look outward, gravity (GX, GY, GZ) points down, and poses at key
frames are those of the table: position(B, x) of each body B, and of the point B_ahead, which is 1 m along its x axis."""

import csv
import json
import math
import struct
import sys

data = open(sys.argv[1], "rb").read()
magic, version, length = struct.unpack_from("<4sII", data)
assert (magic, version, length) == (b"glTF", 2, len(data))
json_length, json_kind = struct.unpack_from("<I4s", data, 12)
assert json_kind == b"JSON" and json_length % 4 == 0
scene = json.loads(data[20 : 20 + json_length])
binary_length, binary_kind = struct.unpack_from("<I4s", data, 20 + json_length)
assert binary_kind == b"BIN\0" and binary_length % 4 == 0
binary = data[28 + json_length :]
assert len(binary) == binary_length == scene["buffers"][0]["byteLength"]


def items(index):
    accessor = scene["accessors"][index]
    view = scene["bufferViews"][accessor["bufferView"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    kind = {5126: "f", 5125: "I"}[accessor["componentType"]]
    assert view["byteOffset"] % 4 == 0 and view["byteLength"] == 4 * width * accessor["count"]
    assert view["byteOffset"] + view["byteLength"] <= len(binary)
    flat = struct.unpack_from(f"<{accessor['count'] * width}{kind}", binary, view["byteOffset"])
    assert all(math.isfinite(value) for value in flat)
    rows = [flat[k : k + width] for k in range(0, len(flat), width)]
    if "min" in accessor:
        assert [min(column) for column in zip(*rows)] == accessor["min"]
        assert [max(column) for column in zip(*rows)] == accessor["max"]
    return rows


def minus(a, b):
    return [x - y for x, y in zip(a, b)]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


nodes = scene["nodes"]
seen = [child for node in nodes for child in node.get("children", [])]
assert sorted(seen + scene["scenes"][scene["scene"]]["nodes"]) == list(range(len(nodes)))
for node in nodes:
    assert abs(math.hypot(*node.get("rotation", [0, 0, 0, 1])) - 1) < 1e-12
for mesh in scene.get("meshes", []):
    for primitive in mesh["primitives"]:
        assert primitive["material"] < len(scene["materials"])
        points = items(primitive["attributes"]["POSITION"])
        if primitive["mode"] != 4:
            continue
        normals = items(primitive["attributes"]["NORMAL"])
        assert len(normals) == len(points)
        assert all(abs(math.hypot(*normal) - 1) < 1e-6 for normal in normals)
        corners = [corner for (corner,) in items(primitive["indices"])]
        assert len(corners) % 3 == 0 and max(corners) < len(points)
        volume = 0
        for a, b, c in zip(*[iter(corners)] * 3):
            normal = cross(minus(points[b], points[a]), minus(points[c], points[a]))
            assert all(dot(normal, normals[k]) > 0 for k in (a, b, c)), "a triangle looks inward"
            volume += dot(points[a], normal) / 6
        assert volume > 0

gravity = [float(text) for text in sys.argv[3:6]]
qx, qy, qz, qw = nodes[0]["rotation"]
turned = cross([qx, qy, qz], gravity)
turned = [g + 2 * (qw * t + c) for g, t, c in zip(gravity, turned, cross([qx, qy, qz], turned))]
assert all(abs(a - b) <= 1e-12 * math.hypot(*gravity) for a, b in zip(turned, [0, -math.hypot(*gravity), 0])), turned

(animation,) = scene["animations"]
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
table = {struct.unpack("f", struct.pack("f", float(row["time"])))[0]: row for row in rows}
checked = 0
for channel in animation["channels"]:
    sampler = animation["samplers"][channel["sampler"]]
    name = nodes[channel["target"]["node"]]["name"]
    times = [time for (time,) in items(sampler["input"])]
    values = items(sampler["output"])
    assert len(values) == len(times) > 10 and all(a < b for a, b in zip(times, times[1:]))
    last = values[0]
    for time, value in zip(times, values):
        row = table[time]
        if channel["target"]["path"] == "translation":
            wanted = [float(row[f"position({name}, {axis})"]) for axis in "xyz"]
            assert all(abs(a - b) <= 1e-6 * max(1, abs(b)) for a, b in zip(value, wanted)), (name, time, value, wanted)
        else:
            assert abs(math.hypot(*value) - 1) < 1e-6 and dot(value, last) >= 0
            x, y, z, w = value  # that of the x axis in the world is the first column
            first = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)]
            wanted = [float(row[f"position({name}_ahead, {axis})"]) - float(row[f"position({name}, {axis})"]) for axis in "xyz"]
            assert all(abs(a - b) < 2e-6 for a, b in zip(first, wanted)), (name, time, first, wanted)
            last = value
        checked += 1
print(checked, "poses")
