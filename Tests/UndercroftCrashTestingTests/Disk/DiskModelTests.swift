import Foundation
import Testing
import UndercroftCrashTesting

@Suite struct DiskModelTests {
  private func model() -> DiskModel {
    var model = DiskModel()
    model.apply(.create(folder: 0, name: "house", node: 1, .folder, mode: 0o750))
    model.apply(.create(folder: 1, name: "book", node: 2, .file, mode: 0o640))
    model.apply(.write(node: 2, offset: 3, bytes: [1, 2]))
    model.apply(.link(node: 2, folder: 0, name: "same"))
    model.apply(.create(folder: 0, name: "way", node: 3, .link(target: "house"), mode: 0o777))
    return model
  }

  @Test func `a disk model written to a folder equals the model read from that folder`() throws {
    let folder = try ScratchFolder.make("model")
    defer { ScratchFolder.remove(folder) }

    try model().write(to: folder + "/state")

    let found = try DiskModel(readingFrom: folder + "/state")
    #expect(found.differences(from: model()) == [])
    #expect(found.paths.map(\.path) == ["house", "house/book", "same", "way"])
    let names = found.paths.filter { $0.path.hasSuffix("book") || $0.path == "same" }
    #expect(Set(names.map(\.node)).count == 1)
  }

  @Test func `removing a scratch folder removes all its files`() throws {
    let folder = try ScratchFolder.make("model")
    try model().write(to: folder + "/state")

    ScratchFolder.remove(folder)

    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test func `a comparison of two disk models lists each differing path with a reason`() {
    var other = model()
    other.apply(.write(node: 2, offset: 0, bytes: [9]))
    other.apply(.remove(folder: 0, name: "way"))

    #expect(
      other.differences(from: model()) == [
        "house/book has other bytes", "same has other bytes", "way is missing",
      ])
  }

  @Test(arguments: [
    FileOperation.write(node: 2, offset: 0, bytes: [9]), .setMode(node: 2, mode: 0o600),
    .remove(folder: 0, name: "same"), .truncate(node: 2, size: 1),
    .rename(node: 2, from: 0, name: "same", to: 0, newName: "other"),
  ])
  func `applying a file operation to a disk model changes the digest of that model only`(
    operation: FileOperation
  ) {
    var before = model()
    var after = model()
    let digest = before.digest()
    _ = after.digest()

    after.apply(operation)

    #expect(after.digest() != digest)
    #expect(before.digest() == digest)
  }

  @Test func `a write beyond the end of a file in a disk model fills the gap with zeros`() {
    #expect(model().nodes[2].bytes == [0, 0, 0, 1, 2])
  }
}
