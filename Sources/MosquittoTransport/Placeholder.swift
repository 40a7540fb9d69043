enum MosquittoTransportRoom {}
