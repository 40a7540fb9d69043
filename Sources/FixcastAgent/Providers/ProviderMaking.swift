internal import EventLoop
internal import LocationProviders
internal import MosquittoTransport
internal import Positioning
internal import RemoteLocation

/// Makes the agent's provider, on the loop's thread or before it runs. Nothing is opened before callbacks are set, but
/// a log to be replayed is looked into.
struct ProviderMaking {
    let loop: EventLoop
    /// Told what providers of this machine notice.
    let notify: @Sendable (ProviderNotice) -> Void
    /// Told what a source that is fed by a broker notices.
    let remoteNotify: @Sendable (RemoteSourceNotice) -> Void
    /// Told which source of a `first-of` is taken.
    let chosen: @Sendable (String) -> Void

    func make(_ settings: AgentProvider) throws(ReplayError) -> any LocationProvider {
        switch settings {
        case .local(let local): return try local.makeProvider(on: loop, notify: notify)
        case .remote(let remote): return make(remote)
        case .firstOf(let settings):
            var sources: [FirstOfProvider.Source] = []
            for source in settings.sources {
                sources.append(FirstOfProvider.Source(name: source.name, provider: try make(source.provider)))
            }
            return FirstOfProvider(
                scheduler: LoopScheduler(loop), sources: sources, silence: settings.silence, proof: settings.proof,
                chosen: chosen)
        }
    }

    private func make(_ settings: RemoteSourceSettings) -> any LocationProvider {
        let router = MessageRouter(
            transport: MosquittoTransport(configuration: settings.mqtt, loop: loop) { _ in nil })
        let scheduler = LoopScheduler(loop)
        let tell: @Sendable (RemoteNotice) -> Void = { [remoteNotify] in remoteNotify(.message($0)) }
        let provider: any LocationProvider
        switch settings.subject {
        case .vehicle(let vehicle, let root):
            provider = RemoteLocationProvider(
                vehicle: vehicle, root: root, router: router, scheduler: scheduler, notice: tell)
        case .ownTracks(let topic, let staleAfter):
            provider = OwnTracksLocationProvider(
                topic: topic, staleAfter: staleAfter, router: router, scheduler: scheduler, notice: tell)
        }
        return RemoteSource(provider: provider, router: router, notify: remoteNotify)
    }
}
