enum FleetWireRoom {}
