import UndercroftCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension BackendConformance {
  static let errors: [Check] = [
    Check("errors name backend and key and never the value") { trial in
      let backendName = try trial.backend.name
      try trial.expect(!backendName.isEmpty, "the backend has no name")
      let secret = "confidential-\(UUID().uuidString)"
      let knows = try trial.breakWrites(to: "broken")
      let name = knows ? "broken" : String(repeating: "too long ", count: 10_000)
      do {
        try trial.set(name, secret)
        try trial.expect(!knows, "the write succeeded although the harness broke it")
        try trial.expect(name, reads: secret)
      } catch let error as StorageError {
        try trial.expect(
          error.backend == backendName,
          "the error names the backend \(error.backend ?? "nil") and not \(backendName): \(error.message)"
        )
        try trial.expect(
          error.key == name, "the error names the key \(trial.short(error.key ?? "nil"))")
        try trial.expect(!error.message.isEmpty, "the error says nothing")
        let shown = "\(error) \(String(reflecting: error))"
        try trial.expect(!shown.contains(secret), "the error shows the value")
      }
    }
  ]
}
