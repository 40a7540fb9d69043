enum WireTextRoom {}
