internal import Configuration

/// The keys of one source of a `first-of`.
struct FirstOfKeys: Sendable {
    let name: ConfigurationKey<String?>
    let provider: ProviderKeys

    /// - Parameter section: the beginning of the keys' paths.
    init(_ section: String) {
        name = .optional("\(section).name", .string, "What this source's positions say they are from.")
        provider = ProviderKeys(section, types: ProviderType.allCases.filter { $0 != .firstOf })
    }

    var all: [any DeclaredKey] { [name] + provider.all }
}
