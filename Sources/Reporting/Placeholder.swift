enum ReportingRoom {}
