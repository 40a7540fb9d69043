import FixcastTestKit
import FleetWire
import Foundation
import Testing

/// Another reader and writer of the compact form: a Python program over what `protoc` makes of `fleet.proto`, which keeps
/// to what the contract says and knows nothing else of ours. It turns each form into the other.
struct ProtobufPeer {
    static let missing: Comment = "protoc or python3-protobuf is not installed; deploy/test installs them"

    static func isInstalled() async throws -> Bool { try await python() != nil }

    /// The first Python that has the library: Debian's package serves Debian's Python alone.
    private static func python() async throws -> String? {
        let directory = try TemporaryDirectory()
        let search = """
            command -v protoc >/dev/null || exit 1
            for python in python3 /usr/bin/python3; do
                $python -c 'import google.protobuf' && echo $python && exit 0
            done
            exit 1
            """
        let shell = try ChildProcess("sh", ["-c", search], directory: directory)
        guard await shell.wait(seconds: 60) == 0 else { return nil }
        return shell.standardOutput.split(separator: "\n").first.map(String.init)
    }

    private let directory: TemporaryDirectory
    private let python: String

    init() async throws {
        python = try #require(await Self.python())
        directory = try TemporaryDirectory()
        let contract = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources/FleetWire")
        let compiler = try ChildProcess(
            "protoc", ["--proto_path=\(contract.path)", "--python_out=\(directory.path)", "fleet.proto"],
            directory: directory)
        try #require(await compiler.wait(seconds: 120) == 0, "\(compiler.standardError)")
        _ = try directory.write(Self.program, to: "peer.py")
    }

    /// The peer's JSON form of compact payloads.
    func json(of payloads: [[UInt8]]) async throws -> [[UInt8]] { try await run("read", payloads) }

    /// The peer's compact form of JSON payloads.
    func compact(of payloads: [[UInt8]]) async throws -> [[UInt8]] { try await run("write", payloads) }

    private func run(_ direction: String, _ payloads: [[UInt8]]) async throws -> [[UInt8]] {
        for (index, payload) in payloads.enumerated() {
            try Data(payload).write(to: directory.file("\(direction)-\(index).in"))
        }
        let peer = try ChildProcess(
            python, ["peer.py", direction, String(payloads.count)], directory: directory,
            environment: ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python", "PYTHONDONTWRITEBYTECODE": "1"])
        let code = await peer.wait(seconds: 300)
        try #require(code == 0, "\(peer.standardError)")
        return try payloads.indices.map { [UInt8](try Data(contentsOf: directory.file("\(direction)-\($0).out"))) }
    }

    private static let program = #"""
        import json, random, sys
        from datetime import datetime, timedelta, timezone
        from decimal import Decimal
        import fleet_pb2 as pb

        EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
        MILLISECOND = timedelta(milliseconds=1)
        # JSON key: column, decimals.
        NUMBERS = {
            "lat": ("lat", 7), "lon": ("lon", 7), "speed": ("speed", 2), "course": ("course", 1), "hacc": ("hacc", 1),
            "alt": ("alt", 1), "vacc": ("vacc", 1), "sacc": ("sacc", 1), "cacc": ("cacc", 1), "sats": ("sats", 0),
            "hdop": ("hdop", 1), "due": ("due", 0), "bound": ("bound", 0), "up": ("up", 0),
        }
        FIXES = ["", "none", "dr", "2d", "3d", "dgps", "rtkFloat", "rtkFixed", "manual"]
        REASONS = {"accuracy": pb.ACCURACY, "coordinate": pb.COORDINATE,
                   "providerUnavailable": pb.PROVIDER_UNAVAILABLE, "noFix": pb.NO_FIX, "clock": pb.CLOCK,
                   "other": pb.OTHER}
        FLAGS = {"sim": pb.SIMULATED, "extrapolated": pb.EXTRAPOLATED, "haccAssumed": pb.HACC_ASSUMED}

        def read_column(track, column, decimals=0):
            """The values by report, None where there is none."""
            message = getattr(track, column) if isinstance(column, str) else column
            if isinstance(column, str) and not track.HasField(column):
                return [None] * track.count
            present = []
            for index, run in enumerate(message.present or [track.count]):
                present += [index % 2 == 0] * run
            present += [False] * (track.count - len(present))
            if message.exact:
                values = list(message.exact)
            else:
                entries = list(message.entries)
                if message.repeats:
                    entries = [e for e, times in zip(message.entries, message.repeats) for _ in range(times)]
                if message.coding == pb.VALUES:
                    numbers = entries
                elif message.coding == pb.DIFFERENCES:
                    numbers, number = [], 0
                    for entry in entries:
                        number += entry
                        numbers.append(number)
                else:
                    number, step = entries[0], 0
                    numbers = [number]
                    for entry in entries[1:]:
                        step += entry
                        number += step
                        numbers.append(number)
                places = decimals + message.finer
                values = [n / 10 ** places for n in numbers] if places else numbers
            values = iter(values)
            return [next(values) if there else None for there in present]

        def read_words(track, name):
            words = getattr(track, name)
            if not track.HasField(name):
                return [None] * track.count
            return [None if n is None else words.words[n] for n in read_column(track, words.which)]

        def to_json(payload):
            track = pb.Track.FromString(payload)
            assert track.v == 1 and track.SerializeToString()[:1] != b"{"
            reports = [{} for _ in range(track.count)]
            def each(values, put):
                for report, value in zip(reports, values):
                    if value is not None:
                        put(report, value)
            sequence = track.seq - 1
            for report, gap in zip(reports, read_column(track, "gap")):
                sequence += 1 + (gap or 0)
                report["seq"] = sequence
            def put_time(report, ms):
                report["time"] = (EPOCH + ms * MILLISECOND).isoformat(timespec="milliseconds").replace("+00:00", "Z")
            each(read_column(track, "time"), put_time)
            for key, (column, decimals) in NUMBERS.items():
                each(read_column(track, column, decimals), lambda r, v: r.__setitem__(key, v))
            each(read_column(track, "alt_ref"), lambda r, v: r.__setitem__("altRef", ["msl", "ellipsoid"][v]))
            each(read_column(track, "fix"), lambda r, v: r.__setitem__("fix", FIXES[v]))
            each(read_column(track, "motion"), lambda r, v: r.__setitem__("motion", pb.Motion.Name(v).lower()))
            each(read_column(track, "trigger"), lambda r, v: r.__setitem__("trigger", name_of_trigger(v)))
            mv = zip(read_column(track, "mv_north", 2), read_column(track, "mv_east", 2))
            each([None if n is None else [n, e] for n, e in mv], lambda r, v: r.__setitem__("mv", v))
            each(read_column(track, "unreliable"),
                 lambda r, v: r.__setitem__("unreliable", [w for w, bit in REASONS.items() if v & bit]))
            each(read_column(track, "flags"), lambda r, v: r.update({w: True for w, bit in FLAGS.items() if v & bit}))
            each(read_words(track, "src"), lambda r, v: r.__setitem__("src", v))
            each(read_words(track, "ext"), lambda r, v: r.__setitem__("ext", Raw(v)))
            return Raw.dumps({"v": track.v, "inst": track.inst, "boot": track.boot, "reports": reports})

        def name_of_trigger(number):
            return pb.Trigger.DESCRIPTOR.values_by_number[number].name.lower()

        class Raw(str):
            """Text that is JSON already."""
            @staticmethod
            def dumps(value):
                if isinstance(value, Raw):
                    return str(value)
                if isinstance(value, dict):
                    return "{" + ",".join(json.dumps(k) + ":" + Raw.dumps(v) for k, v in value.items()) + "}"
                if isinstance(value, list):
                    return "[" + ",".join(Raw.dumps(v) for v in value) + "]"
                return json.dumps(value)

        def write_column(message, values, decimals=0):
            """Any of the ways in which the same values may be written."""
            message.SetInParent()
            given = [v for v in values if v is not None]
            if len(given) < len(values):
                runs, there = [0], True
                for value in values:
                    if (value is not None) != there:
                        runs.append(0)
                        there = not there
                    runs[-1] += 1
                message.present.extend(runs)
            given = [Decimal(v) for v in given]
            finer = max(0, max(-v.as_tuple().exponent for v in given) - decimals)
            numbers = [int(v.scaleb(decimals + finer)) for v in given]
            if max(abs(n) for n in numbers) >= 2 ** 53:
                message.exact.extend(float(v) for v in given)
                return
            message.finer = finer
            message.coding = random.choice([pb.VALUES, pb.DIFFERENCES, pb.SECOND_DIFFERENCES])
            entries, number, step = [], 0, 0
            for index, n in enumerate(numbers):
                difference = n - number
                if message.coding == pb.VALUES:
                    entries.append(n)
                elif message.coding == pb.DIFFERENCES or index == 0:
                    entries.append(difference)
                else:
                    entries.append(difference - step)
                    step = difference
                number = n
            if random.random() < 0.5:
                runs = []
                for entry in entries:
                    if runs and runs[-1][0] == entry:
                        runs[-1][1] += 1
                    else:
                        runs.append([entry, 1])
                message.entries.extend(e for e, _ in runs)
                message.repeats.extend(times for _, times in runs)
            else:
                message.entries.extend(entries)

        def to_compact(text):
            source = json.loads(text, parse_float=Decimal)
            reports = source["reports"]
            track = pb.Track(v=1, inst=source["inst"], boot=source["boot"], seq=reports[0]["seq"], count=len(reports))
            def column(message, values, decimals=0):
                if any(v is not None for v in values):
                    write_column(message, values, decimals)
            seqs = [r["seq"] for r in reports]
            gaps = [0] + [b - a - 1 for a, b in zip(seqs, seqs[1:])]
            column(track.gap, [g or None for g in gaps])
            def ms(time):
                return (datetime.fromisoformat(time.replace("Z", "+00:00")) - EPOCH) // MILLISECOND
            column(track.time, [ms(r["time"]) if "time" in r else None for r in reports])
            for key, (name, decimals) in NUMBERS.items():
                column(getattr(track, name), [r.get(key) for r in reports], decimals)
            for index, name in enumerate(["mv_north", "mv_east"]):
                column(getattr(track, name), [r["mv"][index] if "mv" in r else None for r in reports], 2)
            words = {"msl": 0, "ellipsoid": 1}
            column(track.alt_ref, [words[r["altRef"]] if "altRef" in r else None for r in reports])
            column(track.fix, [FIXES.index(r["fix"]) if "fix" in r else None for r in reports])
            column(track.motion, [pb.Motion.Value(r["motion"].upper()) if "motion" in r else None for r in reports])
            triggers = pb.Trigger.DESCRIPTOR.values_by_name
            column(track.trigger, [triggers[r["trigger"].upper()].number if "trigger" in r else None for r in reports])
            column(track.unreliable,
                   [sum(REASONS[w] for w in r["unreliable"]) if "unreliable" in r else None for r in reports])
            column(track.flags, [sum(bit for w, bit in FLAGS.items() if r.get(w)) or None for r in reports])
            for name, values in [("src", [r.get("src") for r in reports]),
                                 ("ext", [plain(r["ext"]) if "ext" in r else None for r in reports])]:
                if any(v is not None for v in values):
                    message = getattr(track, name)
                    found = list(dict.fromkeys(v for v in values if v is not None))
                    message.words.extend(found)
                    write_column(message.which, [None if v is None else found.index(v) for v in values])
            return track.SerializeToString()

        def plain(value):
            return json.dumps(value, default=float)

        random.seed(7)
        direction, count = sys.argv[1], int(sys.argv[2])
        for index in range(count):
            with open(f"{direction}-{index}.in", "rb") as source:
                payload = source.read()
            result = to_json(payload).encode() if direction == "read" else to_compact(payload)
            with open(f"{direction}-{index}.out", "wb") as target:
                target.write(result)
        """#
}
