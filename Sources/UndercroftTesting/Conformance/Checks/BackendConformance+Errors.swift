import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let errors: [Check] = [
    Check("errors name backend and key and never the value") { trial in
      let backendName = try trial.backend.name
      try trial.expect(!backendName.isEmpty, "the backend has no name")
      let secret = "confidential-\(UUID().uuidString)"
      let isBroken = try trial.breakWrites(to: "broken")
      let name = isBroken ? "broken" : String(repeating: "too long ", count: 10_000)
      do {
        try trial.set(name, secret)
        try trial.expect(!isBroken, "the write succeeded although the harness broke the write")
        try trial.expect(name, reads: secret)
      } catch let error as StorageError {
        try trial.expect(
          error.backend == backendName,
          "the error names the backend \(error.backend ?? "nil") and not \(backendName): \(error.message)"
        )
        try trial.expect(
          error.key == name,
          """
          the error names the key \(trial.short(error.key ?? "nil")) and not \(trial.short(name))
          """)
        try trial.expect(!error.message.isEmpty, "the error has no message")
        try trial.expect(!shown(error).contains(secret), "the error contains the value")
      }
    },
    Check("an error in decoding a value does not contain the value") { trial in
      let secret = "confidential-\(UUID().uuidString)"
      let texts = [
        secret, "\"\(secret)\"", "[\"\(secret)\"]", "{\"\(secret)\":\"\(secret)\"}",
        "<plist><string>\(secret)</string></plist>",
      ]
      var storage = Storage()
      try storage.use(.backend(try trial.backend), for: unbound)
      for (number, text) in texts.enumerated() {
        let name = "loan/\(number)"
        try trial.set(name, text)
        for codec in [JSONCodec(), PropertyListCodec(), StringCodec(), BytesCodec()] as [any Codec]
        {
          let errors = [
            failure(of: name, as: 1, codec, in: storage),
            failure(of: name, as: Form.first, codec, in: storage),
            failure(of: name, as: [Form.first], codec, in: storage),
            failure(of: name, as: ["form": 1], codec, in: storage),
            failure(of: name, as: URL(filePath: "/"), codec, in: storage),
            failure(of: name, as: Date.distantPast, codec, in: storage),
          ]
          for case let error? in errors {
            try trial.expect(!shown(error).contains(secret), "the error contains the value")
          }
        }
      }
    },
  ]

  private static func failure<Value: Codable & Sendable>(
    of name: String, as fallback: Value, _ codec: any Codec, in storage: Storage
  ) -> StorageError? {
    do {
      _ = try storage.load(StorageKey(name, kind: unbound, default: fallback, as: codec))
      return nil
    } catch {
      return error
    }
  }

  private enum Form: String, Codable, Sendable { case first = "first" }

  private static let unbound = DataKind("conformance")

  /// Returns every text about an error and its underlying
  /// errors that a log, a debugger or a crash report may show.
  static func shown(_ error: any Error) -> String {
    var text =
      "\(error) \(String(reflecting: error)) \((error as? any LocalizedError)?.errorDescription ?? "") "
    dump(error, to: &text)
    if let cause = (error as? StorageError)?.underlying { text += shown(cause) }
    return text
  }
}
