#if SyncServer
  import HTTPTypes

  extension HTTPField.Name {
    /// The field with the identifier of a request.
    static let requestIdentifier = HTTPField.Name("Request-Identifier") ?? .date
  }
#endif
