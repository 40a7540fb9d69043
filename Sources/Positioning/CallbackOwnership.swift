/// Who sets callbacks, told to ``CallbackSlots`` beside ``LocationProvider/setCallbacks(locationCallback:availabilityCallback:)``:
/// an implicit argument, because the interface of S1 has no room for it. Without it, a consumer that ends just while
/// another takes the slots over would clear the other's callbacks.
enum CallbackOwnership {
    enum Request {
        /// These callbacks belong to the one named.
        case claim(ObjectIdentifier)
        /// Clear the callbacks if they still belong to the one named.
        case withdraw(ObjectIdentifier)
    }

    @TaskLocal static var request: Request?
}
