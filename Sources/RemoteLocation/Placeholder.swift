enum RemoteLocationRoom {}
