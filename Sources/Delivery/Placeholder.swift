enum DeliveryRoom {}
