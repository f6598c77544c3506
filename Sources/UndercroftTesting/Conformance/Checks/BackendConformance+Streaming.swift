import UndercroftCore
import UndercroftFoundation

extension BackendConformance {
  static let streaming: [Check] = [
    Check(
      "a value written in chunks is visible only after finish(), if the capability is declared",
      requiredCapabilities: .streaming
    ) {
      trial in
      guard let backend = try streamed(trial) else { return }
      try trial.set("cover/2", "old")
      for name in ["cover/1", "cover/2"] {
        let old = try trial.read(name)
        let writer = try backend.writer(for: name)
        var complete = Data()
        for size in [1, 0, 70_000, 3, 200_000] {
          let chunk = Data(repeating: UInt8(truncatingIfNeeded: size), count: size)
          try writer.write(chunk)
          complete += chunk
          try trial.expect(name, reads: old)
        }
        try trial.expectKeys("", old == nil ? ["cover/2"] : ["cover/1", "cover/2"])
        try writer.finish()
        try trial.expect(name, reads: complete)
      }
      try trial.expectKeys("", ["cover/1", "cover/2"])
    },
    Check(
      "a value is read in chunks of at most the requested size, if the capability is declared",
      requiredCapabilities: .streaming
    ) {
      trial in
      guard let backend = try streamed(trial) else { return }
      let isAbsent = try backend.reader(for: "absent") == nil
      try trial.expect(isAbsent, "reader(for:) returned a reader for an absent name")
      for length in [0, 1, 4096, 150_001] {
        let value = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 / 251) })
        try trial.apply(.set("cover", value))
        guard let reader = try backend.reader(for: "cover") else {
          throw ConformanceFailure(
            "reader(for:) returned nil for an entry with a value of \(length) bytes")
        }
        try trial.expect(
          reader.size == length,
          "the reader reports the size \(reader.size) for a value of \(length) bytes")
        var seen = Data()
        while let chunk = try reader.read(upTo: 1_000) {
          try trial.expect((1...1_000).contains(chunk.count), "a chunk has \(chunk.count) bytes")
          seen += chunk
        }
        try trial.expect(seen == value, "the chunks of \(length) bytes differ from the value")
      }
    },
    Check(
      "a discarded writer leaves no trace, if the capability is declared",
      requiredCapabilities: .streaming
    ) {
      trial in
      guard let backend = try streamed(trial) else { return }
      try trial.set("cover/2", "old")
      try await Task.sleep(for: .milliseconds(1))
      let before = try FileTree(of: trial.directory)
      for name in ["cover/1", "cover/2"] {
        let writer = try backend.writer(for: name)
        try writer.write(Data(count: 100_000))
      }
      let left = try FileTree(of: trial.directory).names.subtracting(before.names)
      try trial.expect(left.isEmpty, "a discarded writer left \(left.sorted())")
      try trial.expect("cover/1", reads: nil as Data?)
      try trial.expect("cover/2", reads: "old")
      try trial.expectKeys("", ["cover/2"])
    },
    Check(
      "a reader returns only bytes of one value, if the capability is declared",
      requiredCapabilities: .streaming
    ) {
      trial in
      guard let backend = try streamed(trial) else { return }
      let old = Data(repeating: 1, count: 200_000)
      try trial.apply(.set("cover", old))
      guard let reader = try backend.reader(for: "cover") else {
        throw ConformanceFailure(
          "reader(for:) returned nil for the entry \"cover\", which has a value")
      }
      var seen = try reader.read(upTo: 1_000) ?? Data()
      do {
        try trial.apply(.set("cover", Data(repeating: 2, count: 300_000)))
        while let chunk = try reader.read(upTo: 50_000) { seen += chunk }
        try trial.expect(
          seen == old, "the reader of the old value read other bytes after a write")
      } catch is StorageError {
        // Also correct: the backend refuses the write while a reader exists, or the reader throws.
        try trial.expect(
          seen.elementsEqual(old.prefix(seen.count)),
          "the reader of the old value read other bytes before an error")
      }
    },
  ]

  /// Returns the backend as a ``StreamingBackend``, or `nil`
  /// if the backend does not conform to this protocol.
  ///
  /// Throws if the conformance differs from the declared capabilities.
  private static func streamed(_ trial: CheckContext) throws -> (any StreamingBackend)? {
    let backend = try trial.backend as? any StreamingBackend
    let isDeclared = try trial.declares(.streaming)
    try trial.expect(
      (backend != nil) == isDeclared,
      isDeclared
        ? "the backend is not a StreamingBackend although it declares .streaming"
        : "the backend is a StreamingBackend although it does not declare .streaming")
    return backend
  }
}
