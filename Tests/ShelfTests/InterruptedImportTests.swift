import Foundation
import ShelfCatalogue
import TestSupport
import Testing
import Undercroft

@Suite struct InterruptedImportTests {
  /// All values that an import derives from its input.
  private struct State: Equatable {
    let graph: DependencyGraph?
    let sections: [String: Int]?
    let blobs: [String: Data]

    init(_ storage: Storage) throws {
      graph = try storage.load(.dependencyGraph)?.value
      sections = try storage.load(.sectionCounts)?.value
      var blobs: [String: Data] = [:]
      for name in try storage.names(of: .blob) { blobs[name] = try storage.load(.changelog(name)) }
      self.blobs = blobs
    }
  }

  private static let before = "Package: emma\nVersion: 1\nSection: old\nDepends: ink\n"

  private static let after = ControlReaderTests.sound + "\nPackage: solaris\nSection: novels\n"

  @Test func `an import completes an earlier import that was interrupted at any step`() throws {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      try library.write(Self.after)
      try library.changelog("solaris", "First edition")
      let fresh = try CatalogueInput.memory()
      _ = try library.run(into: fresh)
      let wanted = try State(fresh)

      var last = 0
      while try interrupted(library, at: last, wanted) { last += 1 }
      // Packages, a removed package, edges of the graph, changelogs, a removed changelog.
      #expect(last >= 10)
    }
  }

  /// Cancels an import at a step and verifies that the next import completes it, and returns
  /// whether the import reached that step.
  private func interrupted(_ library: CatalogueInput, at step: Int, _ wanted: State) throws -> Bool
  {
    let storage = try CatalogueInput.memory()
    try library.write(Self.before + "\nPackage: gone\n")
    try library.changelog("gone", "Only edition")
    _ = try library.run(into: storage)

    try library.write(Self.after)
    try FileManager.default.removeItem(at: library.doc.appending(path: "gone"))
    let stopping = StoppingProgress(at: step)
    let isInterrupted: Bool
    do {
      _ = try library.run(into: storage, stopping.progress)
      isInterrupted = false
    } catch is CancellationError {
      isInterrupted = true
    }
    _ = try library.run(into: storage)
    #expect(try State(storage) == wanted, "ended at step \(step)")
    #expect(try library.run(into: storage).changes == "nothing changed")
    return isInterrupted
  }

  @Test
  func `importing the original input after interrupted imports restores the original stored data`()
    throws
  {
    try withTemporaryDirectory { directory in
      let library = try CatalogueInput(directory)
      _ = try library.run()
      let wanted = try State(library.storage)
      for step in 0..<8 {
        try library.write(Self.before)
        _ = try? library.run(StoppingProgress(at: step).progress)
        try library.write(ControlReaderTests.sound)
        _ = try? library.run(StoppingProgress(at: 7 - step).progress)
        _ = try library.run()
        #expect(try State(library.storage) == wanted, "ended at step \(step)")
      }
    }
  }
}
