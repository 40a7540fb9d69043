// The one import for Swift apps: the vocabulary of positions, what travels, the port to an MQTT client, the provider
// that follows a vehicle, and those of the device itself. `Fixcast.docc` shows them at work.
@_exported public import AppProviders
@_exported public import FleetWire
@_exported public import MessageTransport
@_exported public import Positioning
@_exported public import RemoteLocation
