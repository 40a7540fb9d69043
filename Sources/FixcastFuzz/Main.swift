internal import FuzzSupport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Feeds one reader with damaged input: `fixcast-fuzz READER SECONDS SEED [FILE…]`, or, built with libFuzzer, as that
/// wants it, the reader in FIXCAST_FUZZ_READER. A broken promise traps.
@main struct Main {
    static func main() {
        #if LIBFUZZER
        var (count, arguments) = unsafe (CommandLine.argc, Optional(CommandLine.unsafeArgv))
        _ = unsafe LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            unsafe Main.readerFromEnvironment.read(Span(_unsafeStart: data!, count: size))
            return 0
        }
        #else
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3, let reader = FuzzReader(arguments[0]), let seconds = Int(arguments[1]),
            let seed = UInt64(arguments[2])
        else {
            print("usage: fixcast-fuzz READER SECONDS SEED [FILE…]; see deploy/fuzz --help")
            exit(64)
        }
        run(reader, seconds, seed, arguments.dropFirst(3).map { contents($0) })
        #endif
    }

    #if LIBFUZZER
    private static let readerFromEnvironment: FuzzReader = {
        let name = unsafe getenv("FIXCAST_FUZZ_READER").map { unsafe String(cString: $0) }
        guard let reader = name.flatMap({ FuzzReader($0) }) else {
            fatalError("FIXCAST_FUZZ_READER is not set")
        }
        return reader
    }()
    #else
    private static func run(_ reader: FuzzReader, _ seconds: Int, _ seed: UInt64, _ seeds: [[UInt8]]) {
        for bytes in seeds { reader.read(bytes.span) }
        var driver = MutationDriver(seeds: seeds, seed: seed)
        let begin = ContinuousClock.now
        var (runs, records, slowest) = (0, 0, Duration.zero)
        while ContinuousClock.now - begin < .seconds(seconds) {
            for _ in 0..<100 {
                let bytes = driver.next()
                let before = ContinuousClock.now
                records += reader.read(bytes.span)
                slowest = max(slowest, ContinuousClock.now - before)
                runs += 1
            }
        }
        print("\(reader.name): \(runs) inputs, \(records) records, slowest \(slowest)")
    }

    private static func contents(_ file: String) -> [UInt8] {
        let descriptor = unsafe open(file, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        return Array(bytes[..<max(0, count)])
    }
    #endif
}
