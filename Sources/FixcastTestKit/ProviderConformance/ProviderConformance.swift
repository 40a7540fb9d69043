/// The rules of SEMANTICS as far as they speak about providers, each a check that any ``ProviderHarness`` can run.
///
/// Every provider, local or remote, passes them all:
///
/// ```swift
/// @Test(arguments: ProviderConformance.rules(for: MyHarness.capabilities))
/// func conforms(_ rule: ProviderConformance.Rule) async throws { try await rule.check(MyHarness()) }
/// ```
public enum ProviderConformance {
    /// One rule; its name starts with its number in SEMANTICS.
    public struct Rule: Sendable, CustomStringConvertible {
        public let number: Int
        public let name: String
        /// What a harness must be capable of to state this rule.
        public let needs: HarnessCapabilities
        let body: @Sendable (ConformanceSubject) async throws -> Void

        init(
            _ number: Int, _ statement: String, needs: HarnessCapabilities = [],
            _ body: @escaping @Sendable (ConformanceSubject) async throws -> Void
        ) {
            self.number = number
            self.name = "rule \(number < 10 ? "0" : "")\(number): \(statement)"
            self.needs = needs
            self.body = body
        }

        public var description: String { name }

        /// Runs the check on a fresh harness and shuts that down.
        ///
        /// Throws a ``ConformanceFailure`` when the provider breaks the rule or the harness cannot state it, and
        /// whatever the harness throws.
        public func check(_ harness: any ProviderHarness) async throws {
            let subject = ConformanceSubject(rule: name, harness: harness)
            do {
                guard subject.capabilities.isSuperset(of: needs) else {
                    throw subject.failure("the harness is capable of what the rule needs", "it is not: use rules(for:)")
                }
                try await body(subject)
            } catch {
                await harness.shutDown()
                throw error
            }
            await harness.shutDown()
        }
    }

    /// Every rule, in the order of the numbers.
    public static let rules: [Rule] =
        (reliabilityRules + callbackRules + orderRules + remoteRules).sorted { $0.number < $1.number }

    /// The rules that a harness with these capabilities can state.
    public static func rules(for capabilities: HarnessCapabilities) -> [Rule] {
        rules.filter { capabilities.isSuperset(of: $0.needs) }
    }
}
