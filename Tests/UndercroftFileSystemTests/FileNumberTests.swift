import Testing
import UndercroftFileSystem

@Suite struct FileNumberTests {
  @Test func `a path, a symbolic link to it and its open descriptor have the same file number`()
    throws
  {
    let folder = try TemporaryDirectory()
    let path = folder.file("loans")
    let file = try Descriptor(opening: path, O_RDWR | O_CREAT)
    let number = FileNumber(try file.status())

    #expect(try FileNumber(at: path) == number)
    #expect(symlink(path, path + ".link") == 0)
    #expect(try FileNumber(at: path + ".link") == number)
    _ = try Descriptor(opening: path + ".new", O_RDWR | O_CREAT)
    #expect(rename(path + ".new", path) == 0)
    let replacement = try FileNumber(at: path)
    #expect(replacement != nil)
    #expect(replacement != number)
    #expect(unlink(path) == 0)
    #expect(try FileNumber(at: path) == nil)
    #expect(try FileNumber(at: path + "/page") == nil)
  }
}
