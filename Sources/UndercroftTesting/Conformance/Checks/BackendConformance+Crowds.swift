import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let crowds: [Check] = [
    Check("a hundred tasks writing one name leave one of their values") { trial in
      let backend = try trial.backend
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<100 {
          group.addTask {
            try backend.apply([.set("loan", value(of: writer))])
            // A reader sees a whole value, possibly of another writer.
            guard let seen = try backend.read("loan") else {
              throw ConformanceFailure(
                "a read of the entry \"loan\" returned nil after a task set this entry")
            }
            guard (0..<100).contains(where: { value(of: $0) == seen }) else {
              throw ConformanceFailure(
                "a read of the entry \"loan\" returned a value that none of the 100 tasks wrote")
            }
          }
        }
        try await group.waitForAll()
      }
      let last = try trial.read("loan")
      try trial.expect(
        (0..<100).contains { value(of: $0) == last },
        "none of the 100 tasks wrote the final value of the entry \"loan\"")
      try trial.expectKeys("", ["loan"])
    },
    Check("a hundred tasks writing their own names lose nothing") { trial in
      let backend = try trial.backend
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<100 {
          group.addTask {
            try backend.apply([
              .set("reader/\(writer)", value(of: writer)), .set("spare/\(writer)", Data()),
            ])
            try backend.apply([.remove("spare/\(writer)")])
            _ = try backend.keys(withPrefix: "reader/")
          }
        }
        try await group.waitForAll()
      }
      for writer in 0..<100 { try trial.expect("reader/\(writer)", reads: value(of: writer)) }
      try trial.expectKeys("", (0..<100).map { "reader/\($0)" })
    },
  ]

  private static func value(of writer: Int) -> Data {
    Data(repeating: UInt8(writer), count: 1 + writer * 13)
  }
}
