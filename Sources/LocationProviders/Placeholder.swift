enum LocationProvidersRoom {}
