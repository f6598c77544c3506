import UndercroftCore
import UndercroftFileSystem

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The commit record of a batch of files: once it is there the batch holds, however much of it is in place.
///
/// A text of one line a step, and a last line with the checksum of those before it. File names are escaped, so no line holds a space
/// too many.
struct PendingBatch: Sendable {
  enum Step: Equatable, Sendable {
    /// The temporary, if it is still there, becomes the file.
    case set(file: String, temporary: String)
    case remove(file: String)

    var file: String {
      switch self {
      case .set(let file, _): file
      case .remove(let file): file
      }
    }
  }

  static let fileName = ".undercroft-batch"
  private static let heading = "undercroft batch 1"
  /// The most bytes that a record may have: some hundred thousand files.
  private static let maximumSize = 64 << 20

  let steps: [Step]
  private let lastSteps: [ExactString: Step]

  /// The last step that concerns a file.
  func step(for file: String) -> Step? { lastSteps[file.exact] }

  /// Reads the record of an open file.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if a byte of it was changed.
  init(reading file: borrowing Descriptor) throws(StorageError) {
    let bytes = try file.readAll(limit: Self.maximumSize)
    guard let batch = PendingBatch(decoding: bytes) else {
      throw Self.damaged(file.path, "the commit record is damaged")
    }
    self = batch
  }

  static func damaged(_ path: String, _ reason: String) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): \(reason)",
      cure: "restore the folder from a backup, or remove this file to give up the last batch")
  }

  init(_ steps: [Step]) {
    self.steps = steps
    lastSteps = Dictionary(steps.map { ($0.file.exact, $0) }) { _, last in last }
  }

  /// Puts the record in place, where every process sees the batch; the caller flushes the folder.
  func place(in folder: EntryFolder) throws(StorageError) {
    let bytes = encoded
    guard bytes.count <= Self.maximumSize else {
      throw StorageError(
        .tooLarge, "cannot write a batch of \(steps.count) files at once",
        cure: "split it into smaller ones")
    }
    let root = try Descriptor(opening: ".", in: folder.root, O_RDONLY | O_DIRECTORY)
    let record = try ReplacementFile(of: Self.fileName, in: root, owner: folder.owner)
    try record.file.write(bytes)
    try record.commit(flushesFolder: false)
  }

  private var encoded: Data {
    var text = Self.heading + "\n"
    for step in steps {
      switch step {
      case .set(let file, let temporary): text += "set \(temporary) \(file)\n"
      case .remove(let file): text += "remove \(file)\n"
      }
    }
    return Data((text + "sum \(Checksum.of(Array(text.utf8)))\n").utf8)
  }

  init?(decoding bytes: Data) {
    guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n"),
      let last = text.dropLast().lastIndex(of: "\n")
    else { return nil }
    let body = text[...last]
    guard text[text.index(after: last)...] == "sum \(Checksum.of(Array(body.utf8)))\n",
      body.hasPrefix(Self.heading + "\n")
    else { return nil }
    var steps: [Step] = []
    for line in body.dropFirst(Self.heading.count + 1).split(separator: "\n") {
      guard let step = Self.step(line.split(separator: " ").map(String.init)) else { return nil }
      steps.append(step)
    }
    self.init(steps)
  }

  /// No step may lead out of the folder, even when its checksum is right.
  private static func step(_ words: [String]) -> Step? {
    switch words.first {
    case "set" where words.count == 3:
      guard Staging.isStaged(words[1]), isInside(words[2])
      else { return nil }
      return .set(file: words[2], temporary: words[1])
    case "remove" where words.count == 2 && isInside(words[1]):
      return .remove(file: words[1])
    default: return nil
    }
  }

  private static func isInside(_ path: String) -> Bool {
    FileName.isShallow(path)
      && path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0.first != UInt8(ascii: ".") }
  }
}
