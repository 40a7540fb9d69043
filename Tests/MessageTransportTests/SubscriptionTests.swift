import MessageTransport
import Testing

@Suite struct SubscriptionTests {
    @Test(arguments: [
        ("a/b", "a/b", true), ("a/b", "a/c", false), ("a/b", "a/b/c", false), ("a/b/c", "a/b", false),
        ("fleet/+/location", "fleet/v/location", true), ("fleet/+/location", "fleet/v/w/location", false),
        ("fleet/+/location", "fleet//location", true), ("+", "a", true), ("+", "a/b", false), ("+/+", "/a", true),
        ("#", "a/b/c", true), ("a/#", "a", true), ("a/#", "a/b/c", true), ("a/#", "b", false),
        ("#", "$SYS/x", false), ("+/x", "$SYS/x", false), ("$SYS/#", "$SYS/x", true), ("a/+", "a/", true),
    ])
    func matches(filter: String, topic: String, isMatch: Bool) {
        #expect(Subscription(filter).matches(topic) == isMatch)
    }

    @Test func knowsWildcards() {
        #expect(Subscription("a/+/b").isWildcard && Subscription("#").isWildcard && !Subscription("a/b").isWildcard)
    }
}
