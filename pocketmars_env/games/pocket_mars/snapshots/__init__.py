"""Positions as plain data: conversion, restoration and checks; also positions between phases."""
