internal import Delivery
internal import FleetWire
internal import MessageTransport
internal import Outbox
internal import Positioning
internal import Reporting

/// What subscribers ask the agent to do (WIRE.md, Commands).
extension AgentPipeline {
    func receivedCommand(_ message: IncomingMessage) {
        // A retained command would be carried out again at each connection.
        guard !message.retained else { return }
        do throws(WireError) {
            let command = try CommandJSON.decode(message.payload)
            let reply = ReplyMessage(id: command.id, outcome: carryOut(command.action))
            var payload: [UInt8] = []
            ReplyJSON.encode(reply, into: &payload)
            let answer = OutgoingMessage(topic: topics.reply(to: command.subscriber), payload: payload)
            transport?.publish(answer)
            spend(cost.publish(answer), now)
            pump()
        } catch {
            log(
                .warning, "command-malformed", "\(message.topic): \(error): \(WireError.excerpt(message.payload))")
        }
    }

    private func carryOut(_ action: CommandMessage.Action) -> ReplyMessage.Outcome {
        switch action {
        case .locate: return .refused(.unknown, message: "this agent does not locate on request")
        case .resend(let instance, let boot, let sequences):
            guard governor.budget.step != .heartbeats else {
                return .refused(.budget, message: "the day's data budget is used up")
            }
            var last = sequences.upperBound
            if instance == identity.instance, boot >= identity.boot {
                // What was not made yet is not gone.
                guard boot == identity.boot, sequences.lowerBound <= delivery.queue.lastSequence else {
                    return .refused(.unknown, message: "no such report was made yet")
                }
                last = min(last, delivery.queue.lastSequence)
            }
            let answer = delivery.resend(instance: instance, boot: boot, sequences: sequences.lowerBound...last)
            return .coming(first: answer.coming.first, last: answer.coming.last, gone: answer.gone)
        }
    }
}
