import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// A reader of the value of one entry, in chunks.
///
/// The reader reads the file that the entry had when the reader
/// was created, even if another file replaces this file later.
final class FileReader: StreamReader {
  private let opened: OpenedFile
  private let backend: String
  private let key: String
  private var offset = 0

  init(_ opened: consuming OpenedFile, backend: String, key: String) {
    self.opened = opened
    self.backend = backend
    self.key = key
  }

  var size: Int { opened.size }

  func read(upTo count: Int) throws(StorageError) -> Data? {
    try StorageError.naming(backend: backend, key: key) { () throws(StorageError) in
      let chunk = try opened.file.read(max(1, min(count, size - offset)), at: offset)
      offset += chunk.count
      return chunk.isEmpty ? nil : chunk
    }
  }
}

/// A writer of a temporary file, which replaces the file of an entry when the writer finishes.
///
/// If the writer is released before it finishes, the temporary file is removed.
final class FileWriter: StreamWriter {
  private let folder: EntryFolder
  private let writer: FolderWriter
  private let temporary: TemporaryFile
  private let backend: String
  private let key: String
  private let file: String
  private var isFinished = false

  init(
    _ folder: EntryFolder, _ writer: FolderWriter, backend: String, key: String
  ) throws(StorageError) {
    self.folder = folder
    self.writer = writer
    self.backend = backend
    self.key = key
    file = try folder.file(for: key)
    temporary = try TemporaryFile(in: folder.root, owner: folder.owner)
  }

  deinit {
    if !isFinished { unlinkat(folder.root.raw, temporary.name, 0) }
  }

  func write(_ chunk: Data) throws(StorageError) {
    try StorageError.naming(backend: backend, key: key) { () throws(StorageError) in
      if isFinished { throw finished }
      try temporary.file.write(chunk)
    }
  }

  func finish() throws(StorageError) {
    try StorageError.naming(backend: backend, key: key) { () throws(StorageError) in
      if isFinished { throw finished }
      try folder.copyMode(of: file, on: temporary.file)
      try temporary.file.synchronize()
      do throws(StorageError) { try writer.replace(file, with: temporary.name) } catch {
        // The file may be in place although the folder could not be flushed.
        let exists = (try? Folder.hasEntry(temporary.name, in: folder.root)) ?? true
        isFinished = !exists
        throw error
      }
      isFinished = true
    }
  }

  private var finished: StorageError {
    StorageError(
      .misuse,
      "cannot use the writer of the entry \(quoted(key)): the writer has already finished",
      suggestion: """
        create another writer with writer(for:); in the closure of withWriter(for:_:), do not call \
        finish(), because withWriter(for:_:) calls finish() after the closure
        """)
  }
}
