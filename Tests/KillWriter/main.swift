print("begins")
