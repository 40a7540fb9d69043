/// Why the store cannot do something.
struct StoreError: Error, Equatable {
    /// What to do about it.
    enum Kind {
        /// The content is wrong: what is whole is to be saved.
        case damaged
        /// No space: what is there can be read, and writing may work later.
        case full
        /// Anything else: the store may work later.
        case unavailable
    }

    var kind: Kind
    /// SQLite's extended result code, or the system's error number, negative.
    var code: Int32
    var message: String
    /// The file at fault.
    var path: String
}
