import Foundation
import SystemCallFaults
import TestSupport
import Testing
import UndercroftCore
import UndercroftFileSystem

@Suite struct FolderTests {
  private func mode(_ path: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return status.st_mode & 0o777
  }

  @Test func `creating a folder creates missing parents with access for the owner only`() throws {
    let folder = try TemporaryDirectory()
    try Folder.create(folder.file("a/b/c"))
    for path in ["a", "a/b", "a/b/c"] { #expect(try mode(folder.file(path)) == 0o700) }
    try Folder.create(folder.file("open/d"), mode: 0o755)
    #expect(try mode(folder.file("open/d")) == 0o755)
  }

  @Test func `creating an existing folder leaves it unchanged`() throws {
    let folder = try TemporaryDirectory()
    try Folder.create(folder.file("a"))
    try folder.write("kept", to: "a/book")
    try #require(chmod(folder.file("a"), 0o750) == 0)
    try Folder.create(folder.file("a"))
    try Folder.create(folder.file("a/"))

    #expect(try mode(folder.file("a")) == 0o750)
    #expect(try folder.read("a/book") == "kept")
    try #require(symlink("a", folder.file("link")) == 0)
    try Folder.create(folder.file("link"))
  }

  // Other systems do not accept names that are not valid UTF-8.
  #if os(Linux)
    @Test func `a name that is not valid UTF-8 is an error only if names must lead to their files`()
      throws
    {
      let folder = try TemporaryDirectory()
      let open = try Folder.open(folder.path)
      try folder.write("a book", to: "emma\u{fffd}")
      let exact = try Folder.exactNames(in: open)
      let path = folder.file("dune").utf8.map { CChar(bitPattern: $0) }
      let invalid = path + [CChar(bitPattern: 0xff), 0]
      let result = mkdir(invalid, 0o700)
      try #require(result == 0)
      defer { rmdir(invalid) }

      let names = try Folder.names(in: open)
      let refused = Result { () throws(StorageError) in try Folder.exactNames(in: open) }
      let error = #expect(throws: StorageError.self) { _ = try refused.get() }

      #expect(exact == ["emma\u{fffd}"])
      #expect(names.sorted() == ["dune\u{fffd}", "emma\u{fffd}"])
      #expect(error?.code == .notSupported)
      #expect(error?.message.contains(folder.file("dune\u{fffd}")) == true, "\(error as Any)")
    }
  #endif

  /// As in a read-only image, in which a file system is mounted.
  @Test(.enabled(if: faults_are_available() != 0), arguments: [EINVAL, EROFS, EIO])
  func `creating a store or a folder ignores an unsupported flush, but throws if a flush fails`(
    error: Int32
  )
    throws
  {
    let folder = try TemporaryDirectory()
    let open = try Folder.open(folder.path)
    defer { _ = faults_disarm() }

    faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, error)
    let store = Result { () throws(StorageError) in
      try Folder.synchronizeStore(in: open, isNew: true)
    }
    let flushes = faults_disarm()
    faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, error)
    let created = Result { () throws(StorageError) in try Folder.create(folder.file("store")) }

    for result in [store, created] {
      if error == EIO {
        #expect(throws: StorageError.self) { try result.get() }
      } else {
        #expect(throws: Never.self) { try result.get() }
      }
    }
    #expect(flushes == (error == EIO ? 1 : 2))
  }

  @Test(arguments: ["/proc/library", "/proc/library/loans", ""])
  func `creating a folder at an invalid path throws an error`(path: String) {
    let error = #expect(throws: StorageError.self) { try Folder.create(path) }
    #expect(error?.message.contains("create the folder") == true)
    #expect(error?.message.contains(String(path.prefix(13))) == true || path.isEmpty)
  }

  @Test func `creating a folder at the path of a file throws an error that names the path`() throws
  {
    let folder = try TemporaryDirectory()
    try folder.write("a file", to: "a")
    for path in ["a", "a/b"] {
      let error = #expect(throws: StorageError.self) { try Folder.create(folder.file(path)) }
      #expect(error?.message.contains(folder.file("a")) == true)
    }
  }

  @Test func `concurrent tasks can create the same folder`() async throws {
    let folder = try TemporaryDirectory()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try Folder.create(folder.file("x/y/z")) } }
      try await group.waitForAll()
    }

    #expect(try mode(folder.file("x/y/z")) == 0o700)
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `opening a store flushes its folder, and the parent folder if the store is new`() throws {
    let folder = try TemporaryDirectory()
    let open = try Folder.open(folder.path)
    for (isNew, count) in [(false, 1), (true, 2)] {
      faults_arm(Int32(FAULTS_SYNC.rawValue), .max, 0, 0)
      try Folder.synchronizeStore(in: open, isNew: isNew)
      #expect(faults_disarm() == count)
    }
    faults_arm(Int32(FAULTS_SYNC.rawValue), 1, 1, EIO)
    defer { _ = faults_disarm() }

    #expect(throws: StorageError.self) { try Folder.synchronizeStore(in: open, isNew: true) }
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `creating a folder flushes the directory entries of the folder and of its parent`() throws {
    let folder = try TemporaryDirectory()
    faults_arm(Int32(FAULTS_SYNC.rawValue), .max, 0, 0)
    try Folder.create(folder.file("a"))
    #expect(faults_disarm() == 2)

    faults_arm(Int32(FAULTS_SYNC.rawValue), .max, 0, 0)
    try Folder.create(folder.file("a"))
    #expect(faults_disarm() == 0)

    faults_arm(Int32(FAULTS_SYNC.rawValue), .max, 0, 0)
    // The names of "a" and "b", and of "c": "b" was created by the same call.
    try Folder.create(folder.file("a/b/c"))
    #expect(faults_disarm() == 3)
  }

  @Test(.enabled(if: faults_are_available() != 0))
  func `createDurably flushes the directory entry of a folder even if the folder already exists`()
    throws
  {
    let folder = try TemporaryDirectory()
    try Folder.create(folder.file("a"))
    faults_arm(Int32(FAULTS_SYNC.rawValue), .max, 0, 0)

    try Folder.createDurably(folder.file("a"))

    #expect(faults_disarm() == 1)
  }

  @Test func `the names in an open folder can be listed repeatedly`() throws {
    let folder = try TemporaryDirectory()
    for name in ["a", ".b", "ü", "c d"] { try folder.write("", to: name) }
    let open = try Folder.open(folder.path)
    for _ in 0..<3 { #expect(try Folder.names(in: open).sorted() == [".b", "a", "c d", "ü"]) }
  }

  @Test(arguments: [false, true])
  func `folder entries are listed with their types, even if the file system reports no types`(
    hidesTypes: Bool
  ) throws {
    let folder = try TemporaryDirectory()
    try folder.write("", to: "file")
    try #require(mkdir(folder.file("folder"), 0o700) == 0)
    try #require(symlink("folder", folder.file("link")) == 0)
    try #require(symlink("nowhere", folder.file("dangling")) == 0)
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    let open = try Folder.open(folder.path)
    if hidesTypes { faults_arm(Int32(FAULTS_TYPE.rawValue), 1, .max, EIO) }
    defer { _ = faults_disarm() }

    let entries = try Folder.entries(in: open)

    #expect(
      Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0.kind) }) == [
        "dangling": .other, "file": .file, "folder": .folder, "link": .other, "pipe": .other,
      ])
  }

  @Test(arguments: [
    ("/a/b", "/a", "b"), ("/a", "/", "a"), ("a", ".", "a"), ("a/b/", "a", "b"), ("/", "/", "/"),
    ("./x", ".", "x"), ("/a/\u{301}b", "/a", "\u{301}b"), ("/\u{301}b", "/", "\u{301}b"),
    ("/a/b\u{600}/", "/a", "b\u{600}"),
  ])
  func `a path is split into the parent folder and the last component`(
    path: String, parent: String, name: String
  ) {
    #expect(Folder.parent(of: path) == parent)
    if path != "/" { #expect(Folder.name(of: path) == name) }
  }
}
