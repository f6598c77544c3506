import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The commit record of a batch of files; the batch is committed when the record is in the folder.
///
/// `StagedBatch.commit` writes the record. `EntryFolder.finish` then moves the files of the
/// batch into place one by one. The record is text with one line per step, and a last line
/// with the checksum of the other lines. File names are escaped, so they contain no space.
struct PendingBatch: Sendable {
  enum Step: Equatable, Sendable {
    /// Renames the file `temporary` to `file`, unless this was done before.
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
  /// The maximum size of a commit record in bytes, which
  /// is enough for several hundred thousand files.
  private static let maximumSize = 64 << 20

  let steps: [Step]
  private let lastSteps: [ExactString: Step]

  /// Returns the last step that changes `file`, or `nil` if no step changes the file.
  func step(for file: String) -> Step? { lastSteps[file.exact] }

  /// Decodes the commit record in an open file.
  ///
  /// - Throws: ``StorageError/Code/corrupted`` if the record is damaged.
  init(reading file: borrowing Descriptor) throws(StorageError) {
    let bytes = try file.readAll(limit: Self.maximumSize)
    guard let batch = PendingBatch(decoding: bytes) else {
      throw Self.damaged(file.path, "the commit record of the last batch is damaged")
    }
    self = batch
  }

  static func damaged(_ path: String, _ reason: String) -> StorageError {
    StorageError(
      .corrupted, "cannot read \(quoted(path)): \(reason)",
      suggestion: """
        restore the folder of this file from a backup, or remove this file; the removal may \
        discard some or all changes of the last batch
        """)
  }

  init(_ steps: [Step]) {
    self.steps = steps
    lastSteps = Dictionary(steps.map { ($0.file.exact, $0) }) { _, last in last }
  }

  /// Writes the record into the folder, and so commits the batch for every process.
  ///
  /// The caller must flush the folder.
  func write(to folder: EntryFolder) throws(StorageError) {
    let bytes = encoded
    guard bytes.count <= Self.maximumSize else {
      throw StorageError(
        .tooLarge,
        """
        cannot write a batch to \(quoted(folder.path)): the commit record for the changes of \
        \(steps.count) files has \(bytes.count) bytes, and the limit is \(Self.maximumSize) bytes
        """,
        suggestion: "split the batch into smaller batches")
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

  /// Decodes one step.
  ///
  /// Returns `nil` if the line is not a step, or if the step changes a file outside the folder. A
  /// record with a correct checksum can contain such a step.
  private static func step(_ words: [String]) -> Step? {
    switch words.first {
    case "set" where words.count == 3:
      guard StagedBatch.isStaged(words[1]), isInside(words[2])
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
