import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let durability: [Check] = [
    Check(
      "values survive reopening, if the capability is declared", requiredCapabilities: .persistent
    ) { trial in
      let isPersistent = try trial.declares(.persistent)
      for round in 0..<3 {
        try trial.apply(.set("round/\(round)", Data("\(round)".utf8)), .set("empty", Data()))
        try trial.apply(.set("gone", Data()))
        try trial.apply(.remove("gone"))
        trial.close()
        if isPersistent {
          for past in 0...round { try trial.expect("round/\(past)", reads: "\(past)") }
          try trial.expect("empty", reads: Data())
          try trial.expectKeys("", (0...round).map { "round/\($0)" } + ["empty"])
        } else {
          try trial.expectKeys("", [])
          try trial.expect("round/\(round)", reads: nil as Data?)
        }
      }
    },
    Check("the location names where the bytes are") { trial in
      try trial.set("book", "anything")
      let location = try trial.backend.location
      guard try trial.declares(.persistent) else {
        let tree = try FileTree(of: trial.directory)
        try trial.expect(
          location != nil || tree.names == [""],
          "files were written although the location is nil: \(tree.names.sorted())")
        return
      }
      guard let location else {
        throw ConformanceFailure(
          "the location of the backend is nil although the backend declares .persistent")
      }
      let directory = trial.directory.path(percentEncoded: false)
      try trial.expect(
        location.standardizedFileURL.path(percentEncoded: false).hasPrefix(directory),
        "the location \(location) is not in the directory that was passed to the harness")
      try trial.expect(
        FileManager.default.fileExists(atPath: location.path(percentEncoded: false)),
        "nothing is at the location \(location)")
    },
    Check(
      "a store of a killed process has every acknowledged write, if the capability is declared",
      requiredCapabilities: [.persistent, .crashSafe]
    ) {
      trial in
      // A copy of the files between two writes is the state that
      // a process leaves if it is killed between these writes.
      let isCrashSafe = try trial.declares(.crashSafe)
      guard try trial.declares(.persistent) else {
        try trial.expect(!isCrashSafe, "the backend declares .crashSafe without .persistent")
        return
      }
      var wanted: [String: String] = [:]
      for round in 0..<12 {
        let names = (0...round).map { "loan/\($0)" }
        try trial.apply(names.map { .set($0, Data("\(round)".utf8)) })
        for name in names { wanted[name] = "\(round)" }
        if round % 4 == 3 {
          try trial.apply(.remove("loan/\(round / 2)"))
          wanted["loan/\(round / 2)"] = nil
        }
        // Without the capability, the store must open only if it was closed before.
        if !isCrashSafe { trial.close() }
        let copy = try CheckContext.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: copy) }
        try FileTree.copy(trial.directory, to: copy)
        let left = try trial.harness.open(copy)
        for (name, text) in wanted {
          let isThere = try left.read(name) == Data(text.utf8)
          try trial.expect(isThere, "\(quoted(name)) was acknowledged in round \(round) and lost")
        }
        let count = try left.keys(withPrefix: "").count
        try trial.expect(count == wanted.count, "the store has \(count) of \(wanted.count) names")
      }
    },
  ]
}
