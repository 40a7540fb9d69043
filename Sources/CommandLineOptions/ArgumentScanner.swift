internal import CGetopt
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Options, by their place in the table, and the operands beside them.
struct ScannedArguments: Equatable {
    var options: [(index: Int, argument: String?)] = []
    var operands: [String] = []

    static func == (a: Self, b: Self) -> Bool {
        a.operands == b.operands && a.options.elementsEqual(b.options, by: ==)
    }
}

enum WrongOption: Error, Equatable {
    /// As it was written.
    case unknown(String)
    case takesNoArgument(Int)
    case lacksArgument(Int)
}

/// getopt's state is global: one scan at a time.
private let getoptIsBusy = Mutex(())

/// What options' numbers start at, beyond any letter.
private let firstNumber: Int32 = 256

/// Takes arguments apart by the rules of the C library's `getopt_long`.
func scan(
    _ arguments: [String], options: [Option], program: String, stopsAtOperand: Bool
) -> Result<ScannedArguments, WrongOption> {
    // The colon makes getopt tell a missing argument from an unknown option.
    var letters = stopsAtOperand ? "+:" : ":"
    for option in options {
        guard let short = option.short else { continue }
        letters.append(short)
        if option.argument != nil { letters.append(":") }
    }
    return unsafe withCStrings([program] + arguments) { argv in
        unsafe withLongOptions(options) { table in
            getoptIsBusy.withLock { _ in
                unsafe scan(argv, letters, table, options)
            }
        }
    }
}

private func scan(
    _ argv: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>, _ letters: String,
    _ table: UnsafePointer<CGetopt.option>, _ options: [Option]
) -> Result<ScannedArguments, WrongOption> {
    // The last element is the null that ends the array.
    let count = Int32(argv.count - 1)
    var result = ScannedArguments()
    fixcast_getopt_reset()
    while true {
        let found = unsafe fixcast_getopt_next(count, argv.baseAddress, letters, table)
        switch found {
        case -1:
            let rest = Int(fixcast_getopt_index())
            for index in rest..<Int(count) {
                if let argument = unsafe argv[index] { unsafe result.operands.append(String(cString: argument)) }
            }
            return .success(result)
        case Int32(UInt8(ascii: ":")):
            guard let index = place(fixcast_getopt_wrong(), options) else { return .failure(.unknown("")) }
            return .failure(.lacksArgument(index))
        case Int32(UInt8(ascii: "?")):
            let wrong = fixcast_getopt_wrong()
            if wrong >= firstNumber { return .failure(.takesNoArgument(Int(wrong - firstNumber))) }
            if wrong > 0 { return .failure(.unknown("-" + String(UnicodeScalar(UInt8(truncatingIfNeeded: wrong))))) }
            let written = unsafe argv[Int(fixcast_getopt_index()) - 1]
            return unsafe .failure(.unknown(written.map { unsafe String(cString: $0) } ?? ""))
        default:
            guard let index = place(found, options) else { return .failure(.unknown("")) }
            let argument = unsafe fixcast_getopt_argument()
            unsafe result.options.append((index, argument.map { unsafe String(cString: $0) }))
        }
    }
}

/// The option that getopt means by a letter or a number.
private func place(_ value: Int32, _ options: [Option]) -> Int? {
    if value >= firstNumber { return Int(value - firstNumber) }
    return options.firstIndex { $0.short?.asciiValue.map(Int32.init) == value }
}

private func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    // getopt moves the pointers about, so they are freed from a copy.
    let owned = unsafe pointers
    defer { for index in unsafe owned.indices { unsafe free(owned[index]) } }
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in unsafe body(buffer) }
}

private func withLongOptions<Result>(
    _ options: [Option], _ body: (UnsafePointer<CGetopt.option>) -> Result
) -> Result {
    let names = unsafe options.map { unsafe strdup($0.name) }
    defer { for index in unsafe names.indices { unsafe free(names[index]) } }
    var table: [CGetopt.option] = unsafe []
    unsafe table.reserveCapacity(options.count + 1)
    for (index, option) in options.enumerated() {
        unsafe table.append(
            CGetopt.option(
                name: unsafe UnsafePointer(names[index]),
                has_arg: option.argument == nil ? no_argument : required_argument,
                flag: nil, val: firstNumber + Int32(index)))
    }
    unsafe table.append(CGetopt.option())
    return unsafe table.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("the table has at least its end") }
        return unsafe body(base)
    }
}
